import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct PrefetchedPageTests {
    /// Holds each page until a test lets it through, and records which have arrived, ended or been cancelled.
    private final class GatedServer: APIClient {
        var clock: any Clock<Duration> { ContinuousClock() }
        enum Event: Equatable { case arrived(Int), cancelled(Int) }

        private let events = AsyncStream<Event>.makeStream()
        private let gates = (0..<10).map { _ in Hold() }
        private let isHolding: Bool

        init(isHolding: Bool = true) { self.isHolding = isHolding }

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            let page = request.url.pageNumber
            events.continuation.yield(.arrived(page))
            await withTaskCancellationHandler {
                if isHolding { await gates[page].wait() }
            } onCancel: {
                open(page)
            }
            if Task.isCancelled {
                events.continuation.yield(.cancelled(page))
                throw CancellationError()
            }
            let link = "<https://api.example.com/numbers?page=\(page + 1)>; rel=next"
            var response = HTTPResponse.json("[\(page)]", headers: [.link: link])
            response.head.url = request.url
            return response
        }

        func open(_ page: Int) { gates[page].release() }

        func next() async -> Event? {
            var iterator = events.stream.makeAsyncIterator()
            return await iterator.next()
        }

        /// Expects that the first page and the one ahead have arrived.
        func expectPageAhead() async { for page in 1...2 { #expect(await next() == .arrived(page)) } }

        /// All events from now on, after no more can follow.
        func rest() async -> [Event] {
            events.continuation.finish()
            return await events.stream.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func thereIsExactlyOnePageAhead() async throws {
        let server = GatedServer(isHolding: false)
        var pages = server.pages(of: NumbersRequest(), limit: 5, prefetching: true).makeAsyncIterator()
        for number in 1...5 {
            #expect(try await pages.next()?.model == [number])
            if number == 1 { #expect(await server.next() == .arrived(1)) }
            if number < 5 { #expect(await server.next() == .arrived(number + 1)) }
        }
        #expect(try await pages.next() == nil)
        #expect(await server.rest() == [])
    }

    @Test(arguments: [false, true]) func leavingTheLoopCancelsThePageAhead(isOverItems: Bool) async throws {
        let server = GatedServer()
        server.open(1)
        let request = NumbersRequest()
        if isOverItems {
            for try await item in server.items(of: request, prefetching: true) {
                #expect(item == 1)
                await server.expectPageAhead()
                break
            }
        } else {
            for try await page in server.pages(of: request, prefetching: true) {
                #expect(page.model == [1])
                await server.expectPageAhead()
                break
            }
        }
        #expect(await server.next() == .cancelled(2))
    }

    @Test func cancellingTheConsumerCancelsThePageAhead() async throws {
        let server = GatedServer()
        server.open(1)
        let task = Task {
            var pages = server.pages(of: NumbersRequest(), prefetching: true).makeAsyncIterator()
            _ = try await pages.next()
            return try await pages.next()
        }
        await server.expectPageAhead()
        task.cancel()
        #expect(await server.next() == .cancelled(2))
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

}
