import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// `continuingInBackground()` over a system that each test controls.
@Suite(.timeLimit(.minutes(10))) struct ContinuingTests {
    /// Stands in for `performExpiringActivity`: keeps each block until the test has the system grant, expire or refuse
    /// it.
    private final class System: Sendable {
        private let blocks = Recorder<@Sendable (Bool) -> Void>()

        /// How many activities were requested.
        var count: Int { blocks.values.count }

        @Sendable func perform(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
            #expect(!reason.isEmpty)  // which the system would reject
            blocks.append(block)
        }

        /// Grants an activity on a thread of its own; the stream ends when its block returns.
        func grant(_ index: Int = 0) -> AsyncStream<Void> {
            let (returned, end) = AsyncStream.makeStream(of: Void.self)
            let block = blocks.values[index]
            Thread.detachNewThread {
                block(false)
                end.finish()
            }
            return returned
        }

        /// Has time be up for an activity, or refuses it.
        func expire(_ index: Int = 0) { blocks.values[index](true) }
    }

    private let system: System
    private let activity: ExpiringActivity

    init() {
        let system = System()
        self.system = system
        activity = ExpiringActivity(system.perform)
    }

    private func waitUntilHeld() async { while !activity.isHeld { await Task.yield() } }

    private func waitUntilReturned(_ block: AsyncStream<Void>) async { for await _ in block {} }

    @Test func activityLastsUntilTheLastRequestEnds() async throws {
        let base = GatedClient(.json("[]"))
        let client = base.continuing(during: activity)
        #expect(system.count == 0)
        async let first = client.send(AccountsRequest())
        await base.arrivals(1)
        let block = system.grant()
        async let second = client.send(AccountsRequest())
        await base.arrivals(2)
        #expect(system.count == 1)
        base.open()
        _ = try await (first, second)
        await waitUntilReturned(block)
        _ = try await client.send(AccountsRequest())
        #expect(system.count == 2)
    }

    @Test func activityGrantedAfterTheEndReturnsAtOnce() async throws {
        _ = try await ImmediateClient(.json("[]")).continuing(during: activity).send(AccountsRequest())
        await waitUntilReturned(system.grant())
        // As does one that expires then.
        system.expire()
    }

    @Test func failedRequestEndsItsActivity() async throws {
        let base = ImmediateClient { _ in throw TransportError(.connectionLost) }
        let client = base.continuing(during: activity)
        #expect(try await client.failure(of: AccountsRequest()).transport?.code == .connectionLost)
        await waitUntilReturned(system.grant())
    }

    @Test func expiryCancelsWhatIsInFlightAndNothingLater() async throws {
        let base = HangingClient()
        let client = base.continuing(during: activity)
        let tasks = (0..<3).map { _ in Task { try await client.failure(of: AccountsRequest()) } }
        for _ in tasks { _ = await base.arrival() }
        let block = system.grant()
        await waitUntilHeld()
        system.expire()
        await waitUntilReturned(block)
        for task in tasks { #expect(try await task.value.isCancellation) }

        let later = Task { try await client.failure(of: AccountsRequest()) }
        _ = await base.arrival()
        #expect(system.count == 2)
        // A late report about the first activity does not concern the second.
        system.expire(0)
        let second = system.grant(1)
        later.cancel()
        #expect(try await later.value.isCancellation)
        await waitUntilReturned(second)
    }

    @Test func refusedActivityLeavesTheRequestAlone() async throws {
        let base = GatedClient(.json("[]"))
        let client = base.continuing(during: activity)
        async let first = client.send(AccountsRequest())
        await base.arrivals(1)
        system.expire(0)
        // The next request asks again, for both.
        async let second = client.send(AccountsRequest())
        await base.arrivals(2)
        #expect(system.count == 2)
        let block = system.grant(1)
        base.open()
        _ = try await (first, second)
        await waitUntilReturned(block)
    }

    @Test func activityLastsUntilTheEndOfAStream() async throws {
        let (bytes, source) = AsyncThrowingStream.makeStream(of: Data.self)
        let client = Self.stream(bytes).continuing(during: activity)
        var pieces = try await client.send(Endpoint<ByteStream, Data>()).makeAsyncIterator()
        let block = system.grant()
        source.yield(Data("a".utf8))
        #expect(try await pieces.next() == Data("a".utf8))
        source.finish()
        #expect(try await pieces.next() == nil)
        await waitUntilReturned(block)
    }

    @Test func expiryCancelsAStream() async throws {
        let (bytes, source) = AsyncThrowingStream.makeStream(of: Data.self)
        defer { source.finish() }
        let client = Self.stream(bytes).continuing(during: activity)
        var pieces = try await client.send(Endpoint<ByteStream, Data>()).makeAsyncIterator()
        let block = system.grant()
        await waitUntilHeld()
        system.expire()
        await waitUntilReturned(block)
        let error = await #expect(throws: APIError<Data>.self) { try await pieces.next() }
        #expect(error?.isCancellation == true)
    }

    private static func stream(_ bytes: AsyncThrowingStream<Data, any Error>) -> some APIClient {
        let body = ResponseBody(ByteStream(readingOnce: bytes))
        return ImmediateClient(HTTPResponse(head: .init(status: 200, url: WireProbe.root), body: body))
    }
}
