import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite(.timeLimit(.minutes(10))) struct TrackedTests {
    private let tracker = RequestTracker()

    @Test func countsWhatIsInFlight() async throws {
        var counts = tracker.counts.makeAsyncIterator()
        #expect(await counts.next() == 0)
        let base = GatedClient(.json("[]"))
        let client = base.tracked(by: tracker)
        #expect(tracker.count == 0)
        async let first = client.send(AccountsRequest())
        await base.arrivals(1)
        #expect(await counts.next() == 1)
        async let second = client.send(AccountsRequest())
        await base.arrivals(2)
        #expect(await counts.next() == 2)
        #expect(tracker.count == 2)
        base.open()
        _ = try await (first, second)
        #expect(tracker.count == 0)
        var last: Int?
        repeat { last = await counts.next() } while last == 1
        #expect(last == 0)
    }

    @Test func streamIsInFlightUntilItsEnd() async throws {
        let stream = try await ImmediateClient(Self.stream(ByteStream([Data("a".utf8), Data("b".utf8)])))
            .tracked(by: tracker).send(Endpoint<ByteStream, Data>())
        #expect(tracker.count == 1)
        var pieces = stream.makeAsyncIterator()
        #expect(try await pieces.next() == Data("a".utf8))
        #expect(try await pieces.next() == Data("b".utf8))
        #expect(tracker.count == 1)
        #expect(try await pieces.next() == nil)
        #expect(tracker.count == 0)
    }

    @Test func streamReleasedUnreadIsNotInFlight() async throws {
        let client = ImmediateClient(Self.stream(ByteStream("a"))).tracked(by: tracker)
        _ = try await client.send(Endpoint<ByteStream, Data>())
        #expect(tracker.count == 0)
    }

    @Test(arguments: [true, false]) func aCancelEndsEveryRequestAsCancelled(isByTracker: Bool) async throws {
        let base = HangingClient()
        let client = base.tracked(by: tracker)
        let tasks = (0..<10).map { _ in Task { try await client.failure(of: AccountsRequest()) } }
        for _ in tasks { _ = await base.arrival() }
        if isByTracker { tracker.cancelAll() } else { for task in tasks { task.cancel() } }
        for task in tasks { #expect(try await task.value.isCancellation) }
        #expect(tracker.count == 0)
    }

    @Test func cancelAllOfATypeLeavesTheOthers() async throws {
        let base = HangingClient { .json("[]") }
        let client = base.tracked(by: tracker)
        let accounts = Task { try await client.send(AccountsRequest()) }
        let account = Task { try await client.failure(of: AccountRequest()) }
        _ = await base.arrival()
        _ = await base.arrival()
        tracker.cancelAll(of: AccountRequest.self)
        #expect(try await account.value.isCancellation)
        #expect(tracker.count == 1)
        accounts.cancel()
        _ = await accounts.result
    }

    @Test func cancelledRequestIsNotRetried() async throws {
        let base = HangingClient()
        var policy = RetryPolicy.backoff()
        policy.shouldRetry = { _ in true }
        let client = base.tracked(by: tracker).timed(by: ManualClock(skippingSleep: true)).retrying(policy)
        let task = Task { try await client.failure(of: AccountsRequest()) }
        _ = await base.arrival()
        tracker.cancelAll()
        #expect(try await task.value.isCancellation)
    }

    @Test func cancelAllEndsAStreamThatIsRead() async throws {
        let (bytes, source) = AsyncThrowingStream.makeStream(of: Data.self)
        let client = ImmediateClient(Self.stream(ByteStream(readingOnce: bytes))).tracked(by: tracker)
        var pieces = try await client.send(Endpoint<ByteStream, Data>()).makeAsyncIterator()
        source.yield(Data("a".utf8))
        #expect(try await pieces.next() == Data("a".utf8))
        tracker.cancelAll()
        let error = await #expect(throws: APIError<Data>.self) { try await pieces.next() }
        #expect(error?.isCancellation == true)
        #expect(tracker.count == 0)
    }

    private static func stream(_ bytes: ByteStream) -> HTTPResponse {
        HTTPResponse(head: .init(status: 200, url: URL(string: "https://api.example.com/")!), body: ResponseBody(bytes))
    }
}
