import APIKitSupport
import APIKitTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import APIKitClients
@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct PagesTests {
    // MARK: - Pages

    @Test func requestsOnePageAfterTheOther() async throws {
        let stub = StubClient.numbers(pages: 3)
        let pages = try await stub.pages(of: NumbersRequest()).collected()
        #expect(pages.map(\.model) == [[1, 2], [3, 4], [5, 6]])
        #expect(pages.map(\.total) == [6, 6, 6])
        #expect(pages.map(\.next?.pageLink?.pageNumber) == [2, 3, nil])
        #expect(pages.map(\.reply.head.url.pageNumber) == [1, 2, 3])
        #expect(pages.map(\.request.pageLink?.pageNumber) == [nil, 2, 3])
        #expect(stub.pageNumbers == [1, 2, 3])
    }

    @Test func leavingTheLoopAfterOneItemHasRequestedOnePage() async throws {
        let stub = StubClient.numbers(pages: 50)
        _ = stub.pages(of: NumbersRequest()).makeAsyncIterator()
        #expect(stub.pageNumbers == [])
        for try await item in stub.items(of: NumbersRequest()) {
            #expect(item == 1)
            break
        }
        for try await page in stub.pages(of: NumbersRequest()) {
            #expect(page.model == [1, 2])
            break
        }
        #expect(stub.pageNumbers == [1, 1])
    }

    @Test func eachLoopStartsWithTheFirstPage() async throws {
        let pages = StubClient.numbers(pages: 2).pages(of: NumbersRequest())
        for _ in 0..<2 { #expect(try await pages.collected().map(\.model) == [[1, 2], [3, 4]]) }
    }

    @Test func continuesFromAnyPage() async throws {
        let stub = StubClient.numbers(pages: 4)
        let second = try #require(try await stub.pages(of: NumbersRequest(), limit: 2).collected().last)
        let rest = try await stub.pages(of: try #require(second.next)).collected()
        #expect(rest.map(\.model) == [[5, 6], [7, 8]])
        #expect(stub.pageNumbers == [1, 2, 3, 4])
    }

    @Test(
        arguments: [(0, 0), (-1, 0), (.min, 0), (1, 1), (2, 2), (3, 3), (4, 3), (.max, 3), (nil, 3)] as [(Int?, Int)])
    func limitIsOfPages(limit: Int?, count: Int) async throws {
        for prefetching in [false, true] {
            let stub = StubClient.numbers(pages: 3)
            let pages = try await stub.pages(of: NumbersRequest(), limit: limit, prefetching: prefetching).collected()
            // The last one of the limit names the next one.
            #expect(pages.map(\.next?.pageLink?.pageNumber) == Array([2, 3, nil].prefix(count)))
            #expect(stub.requests.count == count)
            let items = try await stub.items(of: NumbersRequest(), pageLimit: limit).collected()
            #expect(items == Array([1, 2, 3, 4, 5, 6].prefix(count * 2)))
        }
    }

    @Test(arguments: [false, true]) func eachRequestHasTheOptions(prefetching: Bool) async throws {
        let stub = StubClient.numbers(pages: 3)
        let options = RequestOptions(deadline: .seconds(600), retries: .never)
        _ = try await stub.pages(of: NumbersRequest(), options: options, prefetching: prefetching).collected()
        _ = try await stub.items(of: NumbersRequest(), options: options, prefetching: prefetching).collected()
        _ = try await stub.items(of: NumbersRequest(), in: { $0 }, options: options).list(limit: 3)
        let limits = stub.requests.map(\.options.deadline)
        #expect(limits == Array(repeating: .seconds(600), count: 8))
        #expect(stub.requests.allSatisfy { $0.options.retries == .never })
    }

    // MARK: - Items

    @Test func itemsInAPropertyComeWithoutThoseOfEmptyPages() async throws {
        let stub = StubClient().answering(BatchesRequest.self) { request in
            switch request.cursor {
            case nil: Batch(items: [], cursor: "b")
            case "b": Batch(items: [1, 2], cursor: "c")
            case "c": Batch(items: [], cursor: "d")
            default: Batch(items: [3], cursor: "")
            }
        }
        #expect(try await stub.items(of: BatchesRequest(), in: \.items).collected() == [1, 2, 3])
        #expect(stub.requests(of: BatchesRequest.self).map(\.cursor) == [nil, "b", "c", "d"])
        let even = stub.items(of: BatchesRequest()) { $0.items.lazy.filter { $0 % 2 == 0 } }
        #expect(try await even.collected() == [2])
        #expect(try await StubClient(.json("[]")).items(of: NumbersRequest()).collected() == [])
    }

    // MARK: - Circles

    @Test(arguments: 1...12, 0..<12) func circleEnds(length: Int, start: Int) async throws {
        let stub = StubClient.numbers(pages: 0) { page in
            "https://api.example.com/numbers?page=\(page < start + length ? page + 1 : start + 1)"
        }
        let request = NumbersRequest(endsAtRepeatedPage: true)
        let count = try await stub.pages(of: request, limit: 1000).collected().count
        // The first request is one without a link, which is the same on the wire.
        #expect(count >= start + length)
        #expect(count <= (start == 0 ? length : 4 * (start + length)))
    }

    @Test(arguments: [false, true]) func repeatedPageIsAnError(prefetching: Bool) async throws {
        for last in [1, 3] {
            let stub = StubClient.numbers(pages: 0) { "https://api.example.com/numbers?page=\($0 < 3 ? $0 + 1 : last)" }
            var pages = stub.pages(of: NumbersRequest(), prefetching: prefetching).makeAsyncIterator()
            for _ in 1...3 { #expect(try await pages.next() != nil) }
            let error = await #expect(throws: DirectoryFailure.self) { try await pages.next() }
            #expect(error?.invalidRequest?.code == .repeatedPage)
            #expect(error?.invalidRequest?.url?.pageNumber == last)
            #expect(try await pages.next() == nil)
            #expect(stub.pageNumbers == [1, 2, 3])
        }
    }

    @Test func textOfARepeatedPageHasItsURL() async throws {
        let link = "https://mirror.example/numbers?page=1&access_token=hunter2"
        let stub = StubClient.numbers(pages: 0) { _ in link }
        let client = stub.based(at: "https://mirror.example", insteadOf: NumbersRequest().base)
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await client.pages(of: NumbersRequest()).collected()
        }
        let text = error.description
        #expect(text.contains("GET https://mirror.example/numbers?page=1&access_token="), "\(text)")
        #expect(!text.contains("hunter2"))
        #expect(error.invalidRequest?.code == .repeatedPage)
    }

    @Test func numberThatOverflowsIsAnError() async throws {
        struct Numbered: DirectoryRequest, PagedRequest {
            typealias Response = JSON<[Int]>
            var page: UInt8 = 254
            var path: URLPath { "numbers" }
            var parameters: Parameters { ["page": page] }
            func next(after reply: APIReply<[Int]>) -> Numbered? { next(advancing: \.page, by: 1) }
        }
        let stub = StubClient(.json("[1]"))
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await stub.items(of: Numbered()).list()
        }
        #expect(error.invalidRequest?.code == .repeatedPage)
        #expect(stub.pageNumbers == [254, 255])
    }

    // MARK: - Invalid links

    /// Links to a next page to which no request can be sent.
    static let invalidLinks = [
        #"https://api.example.com\@evil.example/numbers?page=2&token=hunter2"#, "https://[/numbers?page=2",
        "https://api.example.com:x/numbers?page=2", "https://evil%2Eexample/?page=2",
        "https://user:hunter2@api.example\\.com/", "//", "h@x:/.//y", "ftp://api.example.com/numbers",
        "mailto:hunter2@api.example.com", "javascript:next()", "https:", "about:invalid",
    ]

    /// A list whose pages name the next one in the body.
    private struct BodyLinkRequest: DirectoryRequest, PagedRequest {
        struct Response: JSONResponse, Codable {
            var items: [Int]
            var next: String?
        }
        var pageLink: URL?
        var path: URLPath { "numbers" }
        func next(after reply: APIReply<Response>) -> Self? { next(setting: \.pageLink, to: reply.model.next) }
    }

    @Test(arguments: invalidLinks, [false, true])
    func listWithAnInvalidLinkDoesNotEnd(link: String, prefetching: Bool) async throws {
        let stub = StubClient(.json("[1, 2]", headers: [.link: "<\(link)>; rel=next"]))
        let items = stub.items(of: NumbersRequest(), prefetching: prefetching)
        try await expectInvalidLink { _ = try await items.list() }
        try await expectInvalidLink { for try await _ in items {} }
        let pages = stub.pages(of: NumbersRequest(), prefetching: prefetching)
        try await expectInvalidLink { _ = try await pages.collected() }
        let first = try #require(try await stub.pages(of: NumbersRequest(), limit: 1).collected().first)
        // A program that keeps this request learns of the error when it continues.
        let next = try #require(first.next)
        try await expectInvalidLink { _ = try await stub.send(next) }
        let list = try await items.list(limit: 2)
        #expect(list.items == [1, 2])
        #expect(list.hasMore)
        #expect(stub.requests.allSatisfy { $0.url.path() == "/numbers" && $0.url.pageNumber == 1 })
    }

    @Test(arguments: invalidLinks) func listWithAnInvalidLinkInTheBodyDoesNotEnd(link: String) async throws {
        let page = BodyLinkRequest.Response(items: [1, 2], next: link)
        let stub = StubClient().answering(BodyLinkRequest.self, with: .model(page))
        try await expectInvalidLink { _ = try await stub.items(of: BodyLinkRequest(), in: \.items).list() }
        #expect(stub.requests.count == 1)
    }

    private func expectInvalidLink(_ work: () async throws -> Void) async throws {
        let error = try await #require(throws: DirectoryFailure.self) { try await work() }
        #expect(error.invalidRequest?.code == .link)
        let texts = ["\(error)", error.localizedDescription, error.invalidRequest?.message ?? ""]
        #expect(!texts.contains { $0.contains("hunter2") }, "\(texts)")
        #expect(isOneLine("\(error)"))
    }

    @Test func textOfAnInvalidLinkHasItsHost() async throws {
        let link = #"https://user:hunter2@api.example.com\evil.example/x?token=hunter2"#
        let stub = StubClient(.json("[1]", headers: [.link: "<\(link)>; rel=next"]))
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await stub.items(of: NumbersRequest()).list()
        }
        #expect(
            error.invalidRequest?.message
                == #"the link to "https://api.example.com\\evil.example" is not a valid URL, so nothing can be "#
                + "requested there")
    }

    @Test(arguments: ["<>; rel=next", "< >; rel=next", "", "<; rel=\"next\"", "<https://[/>; rel=prev", "<https://[/>"])
    func listWithoutALinkToTheNextPageEnds(header: String) async throws {
        let stub = StubClient(.json("[1, 2]", headers: [.link: header]))
        let list = try await stub.items(of: NumbersRequest()).list()
        #expect(list.items == [1, 2])
        #expect(!list.hasMore)
    }

    /// In this link, the part of the password before the slash is what seems to be the port.
    @Test func textOfAnInvalidLinkHasNoPartOfAPassword() async throws {
        let page = BodyLinkRequest.Response(items: [1], next: "https://user:hun/ter2@api.example.com/")
        let stub = StubClient().answering(BodyLinkRequest.self, with: .model(page))
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await stub.items(of: BodyLinkRequest(), in: \.items).list()
        }
        let message = try #require(error.invalidRequest?.message)
        #expect(message.hasPrefix(#"the link to "https:" is not a valid URL"#), "\(message)")
    }

    @Test(
        arguments: [
            " https://api.example.com/numbers?page=2", "https://api.example.com/numbers?page=2\r\n",
            "\t/numbers?page=2\u{0} ", "\n?page=2\n",
        ])
    func spacesAroundALinkInTheBodyAreIgnored(link: String) async throws {
        let stub = StubClient().answering(BodyLinkRequest.self) { request in
            BodyLinkRequest.Response(items: [1], next: request.pageLink == nil ? link : nil)
        }
        #expect(try await stub.items(of: BodyLinkRequest(), in: \.items).list().items == [1, 1])
        #expect(stub.requests.last?.url.absoluteString == "https://api.example.com/numbers?page=2")
    }

    @Test(arguments: [nil, "", " ", "\n"] as [String?]) func listWithoutALinkInTheBodyEnds(next: String?) async throws {
        let page = BodyLinkRequest.Response(items: [1, 2], next: next)
        let stub = StubClient().answering(BodyLinkRequest.self, with: .model(page))
        #expect(try await stub.items(of: BodyLinkRequest(), in: \.items).list().items == [1, 2])
    }

    @Test(arguments: [">x<?page=2>; rel=next", "<https://[/>; rel=next, <?page=2>; rel=next"])
    func listWithAnotherLinkGoesOn(header: String) async throws {
        let stub = StubClient { request in
            request.url.pageNumber == 2 ? .json("[3]") : .json("[1, 2]", headers: [.link: header])
        }
        #expect(try await stub.items(of: NumbersRequest()).list().items == [1, 2, 3])
    }

    // MARK: - Credentials

    private func linked(to target: String) -> StubClient {
        StubClient.numbers(pages: 0) { $0 == 1 ? target : nil }
    }

    @Test func pageOutsideTheCredentialsBaseIsAnError() async throws {
        for target in ["https://api.example.com/archive?page=2&token=hunter2", "/archive?page=2"] {
            let stub = linked(to: target)
            let client = stub.authorized(by: .bearer("t"), for: "https://api.example.com/numbers")
            let request = NumbersRequest(base: "https://api.example.com/numbers", path: "")
            var pages = client.pages(of: request).makeAsyncIterator()
            #expect(try await pages.next() != nil)
            let error = try await #require(throws: DirectoryFailure.self) { _ = try await pages.next() }
            #expect(error.invalidRequest?.code == .link)
            #expect(error.description.contains("https://api.example.com/archive?page=2"))
            #expect(error.description.contains("https://api.example.com/numbers"))
            #expect(!error.description.contains("hunter2"))
            #expect(stub.pageNumbers == [1])
            #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t"])
        }
    }

    @Test func pageOutsideTheCredentialsBaseIsRequestedIfTheClientIsForMoreOrTheRequestNeedsNone() async throws {
        let stub = linked(to: "https://api.example.com/archive?page=2")
        var request = NumbersRequest(base: "https://api.example.com/numbers", path: "")
        let whole = stub.authorized(by: .bearer("t"), for: "https://api.example.com")
        #expect(try await whole.items(of: request).collected() == [1, 2, 3, 4])
        // A client whose credential is for another API of the same server.
        let other = stub.authorized(by: .bearer("t"), for: "https://api.example.com/v2")
        #expect(try await other.items(of: request).collected() == [1, 2, 3, 4])
        request.options.addsCredentials = false
        let narrow = stub.authorized(by: .bearer("t"), for: "https://api.example.com/numbers")
        #expect(try await narrow.items(of: request).collected() == [1, 2, 3, 4])
        #expect(
            stub.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t", nil, nil, nil, nil])
    }

    @Test func pageThatRedirectsOutsideTheCredentialsBaseIsRequested() async throws {
        let stub = StubClient { request in
            switch request.url.path() {
            case "/archive": .json("[3, 4]")
            case "/numbers/2": .status(302, headers: [.location: "/archive?page=2"])
            default: .json("[1, 2]", headers: [.link: "</numbers/2>; rel=next"])
            }
        }
        let request = NumbersRequest(base: "https://api.example.com/numbers", path: "")
        let client = stub.authorized(by: .bearer("t"), for: "https://api.example.com/numbers")
        #expect(try await client.items(of: request).collected() == [1, 2, 3, 4])
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t", nil])
    }

    @Test func repeatedPageEndsAListAfterTheLimitOrIfTheEndpointSaysSo() async throws {
        let itself = StubClient.numbers(pages: 0) { "https://api.example.com/numbers?page=\(min($0 + 1, 3))" }
        #expect(try await itself.pages(of: NumbersRequest(), limit: 3).collected().count == 3)
        let request = NumbersRequest(endsAtRepeatedPage: true)
        #expect(try await itself.pages(of: request).collected().count == 3)
        #expect(itself.pageNumbers == [1, 2, 3, 1, 2, 3])
        let back = StubClient.numbers(pages: 0) { "https://api.example.com/numbers?page=\($0 == 1 ? 2 : 1)" }
        #expect(try await back.items(of: request, prefetching: true).collected() == [1, 2, 3, 4])
        #expect(back.pageNumbers == [1, 2])
    }

    // As Heroku's API does with `Range`.
    @Test func requestsThatDifferInAHeaderOrTheBodyAreNotTheSame() async throws {
        struct Ranged: DirectoryRequest, PagedRequest {
            typealias Response = JSON<[Int]>
            var range: String?
            var text = "a"
            var path: URLPath { "apps" }
            var method: HTTPMethod { .post }
            var headers: HTTPHeaders { [.range: range] }
            var parameters: Parameters { ["text": text] }
            func next(after reply: APIReply<[Int]>) -> Ranged? {
                range == nil ? Ranged(range: "id b..") : text == "a" ? Ranged(range: "id b..", text: "b") : nil
            }
        }
        #expect(try await StubClient(.json("[1]")).items(of: Ranged()).collected() == [1, 1, 1])
    }

    // MARK: - Errors

    @Test(arguments: [false, true]) func failureIsThatOfTheEndpointAndEndsTheSequence(prefetching: Bool) async throws {
        let stub = StubClient { request in
            request.url.pageNumber < 2
                ? .json("[1, 2]", headers: [.link: "<?page=2>; rel=next"]) : .json(#"{"message": "no"}"#, status: 403)
        }
        var pages = stub.pages(of: NumbersRequest(), prefetching: prefetching).makeAsyncIterator()
        #expect(try await pages.next()?.model == [1, 2])
        let error = await #expect(throws: DirectoryFailure.self) { try await pages.next() }
        #expect(error?.rejection?.failure == DirectoryError(message: "no"))
        #expect(try await pages.next() == nil)
        #expect(stub.requests.count == 2)
        let items = await steps(5, of: stub.items(of: NumbersRequest(), prefetching: prefetching))
        #expect(items == ["1", "2", "APIError<DirectoryError>", "nil", "nil"])
    }

    @Test func invalidFirstRequestIsAnError() async throws {
        let request = NumbersRequest(pageLink: URL(string: "https://evil.example"))
        let steps = await steps(2, of: StubClient().pages(of: request))
        #expect(steps == ["APIError<DirectoryError>", "nil"])
    }

    // MARK: - Cancelling

    @Test(arguments: [false, true]) func cancelBetweenPagesEndsTheLoop(prefetching: Bool) async throws {
        let isAhead = Hold()
        let stub = StubClient.numbers(pages: 50) { page in
            if page == 2 { isAhead.release() }
            return "https://api.example.com/numbers?page=\(page + 1)"
        }
        let count = Locked(0)
        let task = Task {
            for try await _ in stub.pages(of: NumbersRequest(), prefetching: prefetching) {
                count.withLock { $0 += 1 }
                // A page that has already arrived does not count either.
                if prefetching { await isAhead.wait() }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(count.withLock { $0 } == 1)
        #expect(error?.isCancellation == true)
        #expect(stub.requests.count <= 2)
    }

    // Also on the last page, whose other items would seem to be missing otherwise.
    @Test func cancelBetweenItemsEndsTheLoop() async throws {
        for count in [1, 50] {
            let items = StubClient.numbers(pages: count).items(of: NumbersRequest())
            let steps = await Task {
                var iterator = items.makeAsyncIterator()
                var steps = [try? await iterator.next()]
                withUnsafeCurrentTask { $0?.cancel() }
                let error = await #expect(throws: DirectoryFailure.self) { try await iterator.next() }
                #expect(error?.isCancellation == true)
                steps.append(try? await iterator.next())
                return steps
            }.value
            #expect(steps == [1, nil])
        }
    }

    @Test(arguments: [false, true])
    func cancelWhileAPageIsRequestedEndsTheLoop(prefetching: Bool) async throws {
        let hanging = HangingClient()
        let client = StubClient { request in
            guard request.url.pageNumber > 1 else { return .json("[1]", headers: [.link: "<?page=2>; rel=next"]) }
            return try await hanging.perform(request)
        }
        let task = Task { try await client.items(of: NumbersRequest(), prefetching: prefetching).collected() }
        _ = await hanging.arrival()
        task.cancel()
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    // MARK: - Memory

    /// A page that is counted as long as it is alive.
    private struct Counted: APIResponse {
        typealias Model = Counted
        let lease: Lease
        static func process(data: Data) throws -> Counted { throw CocoaError(.featureUnsupported) }
    }

    private struct CountedRequest: DirectoryRequest, PagedRequest {
        typealias Response = Counted
        var page = 1
        var path: URLPath { "counted" }
        var parameters: Parameters { ["page": page] }
        func next(after reply: APIReply<Counted>) -> Self? {
            page < PagesTests.pageCount ? next(advancing: \.page, by: 1) : nil
        }
    }

    private static let pageCount = Effort.rounds(1_000, thorough: 10_000)

    @Test(arguments: [false, true]) func thousandsOfPagesAreNotKept(prefetching: Bool) async throws {
        let alive = Locked((now: 0, most: 0))
        let (releases, released) = AsyncStream.makeStream(of: Void.self)
        let client = ImmediateClient { request in
            alive.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            let lease = Lease {
                alive.withLock { $0.now -= 1 }
                released.yield()
            }
            let page = Counted(lease: lease)
            return HTTPResponse(
                head: .init(status: 200, url: request.url), body: ResponseBody(TypedAnswer(.success(page))))
        }
        var count = 0
        for try await _ in client.pages(of: CountedRequest(), prefetching: prefetching) { count += 1 }
        #expect(count == Self.pageCount)
        // The task of a page ahead may end a little later than it is waited for.
        #expect(alive.withLock { $0.most } <= (prefetching ? 20 : 2))
        for await _ in releases where alive.withLock({ $0.now }) == 0 { break }
    }
}
