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

    @Test func numberThatOverflowsEndsAList() {
        #expect(PositionsRequest(offset: .max).next(advancing: \.offset, by: 1) == nil)
        #expect(PositionsRequest(offset: 1).next(advancing: \.offset, by: .max) == nil)
        #expect(PositionsRequest(page: 254).next(advancing: \.page, by: 1)?.page == 255)
        #expect(PositionsRequest(page: 255).next(advancing: \.page, by: 1) == nil)
        #expect(PositionsRequest(offset: .min).next(advancing: \.offset, by: .min) == nil)
    }

    @Test func totalIsUnknownByDefault() {
        #expect(BatchesRequest().total(in: reply(Batch(items: []))) == nil)
    }
}
