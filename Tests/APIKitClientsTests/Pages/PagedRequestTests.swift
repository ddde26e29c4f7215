import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitCore

@Suite struct PagedRequestTests {
    private func reply<Model>(_ model: Model) -> APIReply<Model> {
        APIReply(model: model, head: .init(status: 200, url: URL(string: "https://api.example.com/x")!))
    }

    // As Slack's do, an empty cursor ends a list.
    @Test func nilOrAnEmptyTextEndsAListByCursor() {
        #expect(BatchesRequest().next(after: reply(Batch(items: [], cursor: "c2")))?.cursor == "c2")
        #expect(BatchesRequest(cursor: "c2").next(after: reply(Batch(items: [1], cursor: nil))) == nil)
        #expect(BatchesRequest(cursor: "c2").next(after: reply(Batch(items: [1], cursor: ""))) == nil)
        // A position needs not be optional.
        let none: String? = nil
        #expect(PositionsRequest().next(setting: \.token, to: "t")?.token == "t")
        #expect(PositionsRequest().next(setting: \.token, to: "") == nil)
        #expect(PositionsRequest().next(setting: \.token, to: none) == nil)
    }

    @Test func advancesNumbers() {
        let request = PositionsRequest(offset: 20)
        #expect(request.next(after: reply([1, 2, 3]))?.offset == 23)
        #expect(request.next(after: reply([])) == nil)
        #expect(request.next(advancing: \.offset, by: -1) == nil)
        #expect(request.next(advancing: \.page, by: 1)?.page == 2)
    }

    /// The list must not end as if it were complete.
    @Test func requestStaysTheSameIfTheNumberOverflows() {
        #expect(PositionsRequest(offset: .max).next(advancing: \.offset, by: 1)?.offset == .max)
        #expect(PositionsRequest(offset: 1).next(advancing: \.offset, by: .max)?.offset == 1)
        #expect(PositionsRequest(page: 254).next(advancing: \.page, by: 1)?.page == 255)
        #expect(PositionsRequest(page: 255).next(advancing: \.page, by: 1)?.page == 255)
        #expect(PositionsRequest(offset: .min).next(advancing: \.offset, by: .min) == nil)
    }

    @Test func linkMayBeAText() {
        func next(_ text: String?) -> String? {
            NumbersRequest().next(setting: \.pageLink, to: text)?.pageLink?.absoluteString
        }
        #expect(next("https://api.example.com/?page=2&q=a b") == "https://api.example.com/?page=2&q=a%20b")
        #expect(next("?page=2") == "?page=2")
        #expect(next("") == nil)
        #expect(next(nil) == nil)
        #expect(NumbersRequest().next(setting: \.pageLink, to: nil) == nil)
    }

    @Test func totalIsUnknownByDefault() {
        #expect(BatchesRequest().total(in: reply(Batch(items: []))) == nil)
    }
}
