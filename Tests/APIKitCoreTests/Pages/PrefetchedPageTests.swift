import APIKitCore
import APIKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(3))) struct PrefetchedPageTests {
    /// Holds each page until a test lets it through, and records which have arrived, ended or been cancelled.
    private final class GatedServer: APIClient {
        enum Event: Equatable { case arrived(Int), cancelled(Int) }

        private let events = AsyncStream<Event>.makeStream()
        private let gates = Locked<[Int: Hold]>([:])
        private let isHolding: Bool

        init(isHolding: Bool = true) { self.isHolding = isHolding }

        func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
            let page = request.url.pageNumber
            events.continuation.yield(.arrived(page))
            let gate = gate(page)
            await withTaskCancellationHandler {
                if isHolding { await gate.wait() }
            } onCancel: {
                gate.release()
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

        func open(_ page: Int) { gate(page).release() }

        func next() async -> Event? {
            var iterator = events.stream.makeAsyncIterator()
            return await iterator.next()
        }

        /// All events from now on, after no more can follow.
        func rest() async -> [Event] {
            events.continuation.finish()
            var rest: [Event] = []
            for await event in events.stream { rest.append(event) }
            return rest
        }

        private func gate(_ page: Int) -> Hold {
            gates.withLock { gates in
                let gate = gates[page] ?? Hold()
                gates[page] = gate
                return gate
            }
        }
    }

    @Test func nextPageIsRequestedWhileOneIsUsed() async throws {
        let server = GatedServer()
        var pages = server.pages(of: NumbersRequest(), prefetching: true).makeAsyncIterator()
        server.open(1)
        #expect(try await pages.next()?.model == [1])
        #expect(await server.next() == .arrived(1))
        // Nobody has asked for it yet.
        #expect(await server.next() == .arrived(2))
        server.open(2)
        server.open(3)
        #expect(try await pages.next()?.model == [2])
        #expect(await server.next() == .arrived(3))
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

    @Test func withoutItThereIsNone() async throws {
        let server = GatedServer(isHolding: false)
        var pages = server.pages(of: NumbersRequest()).makeAsyncIterator()
        _ = try await pages.next()
        #expect(await server.rest() == [.arrived(1)])
    }

    @Test func leavingTheLoopCancelsThePageAhead() async throws {
        let server = GatedServer()
        server.open(1)
        for try await page in server.pages(of: NumbersRequest(), prefetching: true) {
            #expect(page.model == [1])
            #expect(await server.next() == .arrived(1))
            #expect(await server.next() == .arrived(2))
            break
        }
        #expect(await server.next() == .cancelled(2))
    }

    @Test func leavingALoopOverItemsCancelsThePageAhead() async throws {
        let server = GatedServer()
        server.open(1)
        for try await item in server.items(of: NumbersRequest(), prefetching: true) {
            #expect(item == 1)
            #expect(await server.next() == .arrived(1))
            #expect(await server.next() == .arrived(2))
            break
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
        #expect(await server.next() == .arrived(1))
        #expect(await server.next() == .arrived(2))
        task.cancel()
        #expect(await server.next() == .cancelled(2))
        let error = await #expect(throws: DirectoryFailure.self) { try await task.value }
        #expect(error?.isCancellation == true)
    }

    @Test func failureIsThrownWhenThePageIsAskedFor() async throws {
        let failed = Hold()
        let stub = StubClient { request in
            guard request.url.pageNumber > 1 else { return .json("[1]", headers: [.link: "<?page=2>; rel=next"]) }
            failed.release()
            throw TransportError(.connectionLost)
        }
        var pages = stub.pages(of: NumbersRequest(), prefetching: true).makeAsyncIterator()
        let page = try await pages.next()
        await failed.wait()
        #expect(page?.model == [1])
        let error = await #expect(throws: DirectoryFailure.self) { try await pages.next() }
        #expect(error?.transportCode == .connectionLost)
        #expect(try await pages.next() == nil)
        #expect(await stub.requests.count == 2)
    }
}
