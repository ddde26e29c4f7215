import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients
@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct PagedItemsTests {
    @Test(
        arguments: [
            (nil, 6, 3, false), (.min, 0, 0, true), (-1, 0, 0, true), (0, 0, 0, true), (1, 1, 1, true), (2, 2, 1, true),
            (3, 3, 2, true), (4, 4, 2, true), (5, 5, 3, true), (6, 6, 3, false), (7, 6, 3, false), (.max, 6, 3, false),
        ] as [(Int?, Int, Int, Bool)])
    func listRequestsOnlyThePagesItNeeds(limit: Int?, count: Int, pages: Int, hasMore: Bool) async throws {
        let stub = StubClient.numbers(pages: 3)
        let list = try await stub.items(of: NumbersRequest()).list(limit: limit)
        #expect(list.items == Array([1, 2, 3, 4, 5, 6].prefix(count)))
        #expect(list.hasMore == hasMore)
        #expect(list.total == (pages == 0 ? nil : 6))
        #expect(stub.pageNumbers == Array([1, 2, 3].prefix(pages)))
    }

    @Test(arguments: [(0, 0, true), (1, 2, true), (2, 4, true), (3, 6, false), (4, 6, false)] as [(Int, Int, Bool)])
    func listSaysIfThePageLimitHasEndedIt(limit: Int, count: Int, hasMore: Bool) async throws {
        for prefetching in [false, true] {
            let stub = StubClient.numbers(pages: 3)
            let items = stub.items(of: NumbersRequest(), pageLimit: limit, prefetching: prefetching)
            let list = try await items.list()
            #expect(list.items == Array([1, 2, 3, 4, 5, 6].prefix(count)))
            #expect(list.hasMore == hasMore)
            #expect(stub.requests.count == min(limit, 3))
        }
    }

    @Test func listSkipsEmptyPages() async throws {
        let stub = StubClient().answering(BatchesRequest.self) { request in
            switch request.cursor {
            case nil: Batch(items: [], cursor: "b")
            case "b": Batch(items: [1, 2], cursor: "c")
            case "c": Batch(items: [], cursor: "d")
            default: Batch(items: [], cursor: "")
            }
        }
        let items = stub.items(of: BatchesRequest(), in: \.items)
        #expect(try await items.list(limit: 2) == ItemList(items: [1, 2], hasMore: true))
        #expect(stub.requests.count == 2)
        #expect(try await items.list(limit: 3) == ItemList(items: [1, 2]))
    }

    @Test func listReadsOnFromTheNextItemAndChangesNothing() async throws {
        let stub = StubClient.numbers(pages: 3)
        var items = stub.items(of: NumbersRequest())
        #expect(items.total == nil)
        #expect(try await items.next() == 1)
        #expect(items.total == 6)
        for _ in 0..<2 {
            #expect(try await items.list(limit: 1) == ItemList(items: [2], total: 6, hasMore: true))
            #expect(try await items.list(limit: 2) == ItemList(items: [2, 3], total: 6, hasMore: true))
        }
        let copy = items
        #expect(try await items.next() == 2)
        #expect(try await copy.collected() == [2, 3, 4, 5, 6])
        #expect(try await items.list() == ItemList(items: [3, 4, 5, 6], total: 6))
        #expect(try await items.collected() == [3, 4, 5, 6])
        let rest = try await items.list(limit: 4)
        #expect(rest.items == [3, 4, 5, 6])
        #expect(!rest.hasMore)
    }

    @Test func totalOfAnEarlierPageIsKept() async throws {
        let stub = StubClient { request in
            let isFirst = request.url.pageNumber == 1
            return .json(
                "[1]", headers: [.link: isFirst ? "<?page=2>; rel=next" : nil, "X-Total": isFirst ? "2" : nil])
        }
        #expect(try await stub.items(of: NumbersRequest()).list() == ItemList(items: [1, 1], total: 2))
    }

    @Test func repeatedPageIsNotMoreIfItEndsTheList() async throws {
        let stub = StubClient.numbers(pages: 0) { "https://api.example.com/numbers?page=\(min($0 + 1, 2))" }
        let ending = stub.items(of: NumbersRequest(endsAtRepeatedPage: true))
        for limit in [nil, 4] { #expect(try await ending.list(limit: limit).hasMore == false) }
        let failing = stub.items(of: NumbersRequest())
        #expect(try await failing.list(limit: 4).hasMore)
        let error = await #expect(throws: DirectoryFailure.self) { try await failing.list() }
        #expect(error?.invalidRequest?.code == .repeatedPage)
    }

    @Test func failureOfAPageIsThrownAndEndsTheItems() async throws {
        let stub = StubClient { request in
            request.url.pageNumber < 2
                ? .json("[1, 2]", headers: [.link: "<?page=2>; rel=next"]) : .json(#"{"message": "no"}"#, status: 403)
        }
        var items = stub.items(of: NumbersRequest())
        #expect(try await items.list(limit: 2).items == [1, 2])
        let error = await #expect(throws: DirectoryFailure.self) { try await items.list(limit: 3) }
        #expect(error?.rejection?.failure == DirectoryError(message: "no"))
        for item in [1, 2] { #expect(try await items.next() == item) }
        await #expect(throws: DirectoryFailure.self) { try await items.next() }
        #expect(try await items.next() == nil)
        let rest = try await items.list()
        #expect(rest.isEmpty)
        #expect(rest.hasMore)
    }

    // Without the credential, the server might return less, which would seem to be all.
    @Test(arguments: [false, true]) func pageOutsideTheCredentialsScopeIsAnError(prefetching: Bool) async throws {
        let stub = StubClient.numbers(pages: 0) { $0 == 1 ? "https://api.example.com/archive?page=2" : nil }
        let client = stub.authorized(by: .bearer("t"), for: "https://api.example.com/numbers")
        let request = NumbersRequest(base: "https://api.example.com/numbers", path: "")
        var items = client.items(of: request, prefetching: prefetching)
        let listError = await #expect(throws: DirectoryFailure.self) { try await items.list() }
        #expect(listError?.invalidRequest?.code == .link)
        for item in [1, 2] { #expect(try await items.next() == item) }
        let error = await #expect(throws: DirectoryFailure.self) { try await items.next() }
        #expect(error?.invalidRequest?.code == .link)
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
    }

    @Test func cancelledTaskGetsNoList() async throws {
        var items = StubClient.numbers(pages: 1).items(of: NumbersRequest())
        #expect(try await items.next() == 1)
        let rest = items
        let error = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: DirectoryFailure.self) { try await rest.list() }
        }.value
        #expect(error?.isCancellation == true)
    }

    @Test func listIsACollection() {
        let list = ItemList(items: ["a", "b", "c"], total: 9, hasMore: true)
        #expect(list.count == 3 && list.indices == 0..<3)
        #expect(list.first == "a" && list[1] == "b" && list.last == "c")
        #expect(Array(list.reversed()) == ["c", "b", "a"])
        #expect(Set([list, list, ItemList(items: list.items)]).count == 2)
    }
}
