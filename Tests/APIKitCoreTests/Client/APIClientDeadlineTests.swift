import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct APIClientDeadlineTests {
    private func endpoint(deadline: RequestOptions.TimeLimit) -> Endpoint<NoContent, Data> {
        Endpoint(options: RequestOptions(deadline: deadline))
    }

    @Test(arguments: [RequestOptions.TimeLimit.milliseconds(5), .after(.nanoseconds(1)), .seconds(0), .seconds(-1)])
    func unresponsiveClientTimesOut(deadline: RequestOptions.TimeLimit) async throws {
        let error = try await HangingClient().failure(of: endpoint(deadline: deadline))
        let transport = try #require(error.transport)
        #expect(transport.code == .timedOut)
        #expect(transport.url?.absoluteString == "https://api.example.com/things")
        #expect(error.description.contains("deadline"))
    }

    // The client is cancelled and then fails or responds; both are ignored.
    @Test(arguments: [true, false]) func cancelsClientAndIgnoresItsResultAfterDeadline(responds: Bool) async throws {
        let ended = Recorder<Bool>()
        let client = HangingClient {
            ended.append(Task.isCancelled)
            return responds ? .status(200) : try { throw TransportError(.connectionLost) }()
        }
        #expect(try await client.failure(of: endpoint(deadline: .milliseconds(2))).transportCode == .timedOut)
        #expect(ended.values == [true])
    }

    @Test func deadlineIncludesRedirects() async throws {
        let (hanging, clock) = (HangingClient(), ManualClock())
        let client = Redirecting(base: hanging, clock: clock)
        async let error = client.failure(of: endpoint(deadline: .seconds(5)))
        #expect(await hanging.arrival()?.url.path == "/next")
        clock.advance(by: .seconds(5))
        #expect(try await error.transportCode == .timedOut)
    }

    private struct Redirecting: APIClient {
        let base: HangingClient
        let clock: any Clock<Duration>

        func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
            guard request.url.path != "/next" else { return try await base.perform(request, in: call) }
            return .status(307, headers: [.location: "/next"])
        }
    }

    // A redirect loop that never suspends must end too.
    @Test func endsRedirectLoopWithoutLimit() async throws {
        var endpoint = endpoint(deadline: .milliseconds(5))
        endpoint.options.redirects = .follow(limit: .max)
        let late = Recorder<Bool>()
        let client = ImmediateClient { _ in
            // A second hop after the deadline is one too many, and ends the loop.
            if Task.isCancelled, late.append(true) > 1 { return .status(200) }
            return .status(302, headers: [.location: "/things"])
        }
        #expect(try await client.failure(of: endpoint).transportCode == .timedOut)
        #expect(late.values.count <= 1)
    }

    @Test func returnsResponseOrThrowsWithinDeadline() async throws {
        let endpoint = endpoint(deadline: .seconds(600))
        #expect(try await ImmediateClient(.status(201)).reply(to: endpoint).head.status == 201)
        let lost = ImmediateClient { _ in throw TransportError(.connectionLost) }
        #expect(try await lost.failure(of: endpoint).transportCode == .connectionLost)
        #expect(try await ImmediateClient(.status(500)).failure(of: endpoint).status == 500)
    }

    #if os(Linux) || os(macOS)
    // Task.sleep traps where the clock's arithmetic overflows, so this needs a process of its own.
    @Test func distantDeadlineDoesNotTrap() async {
        await #expect(processExitsWith: .success) {
            let options = RequestOptions(deadline: .seconds(Int64.max))
            let client = ImmediateClient { _ in .status(204) }
            for _ in 0..<50 { _ = try await client.send(Endpoint<NoContent, Data>(options: options)) }
        }
    }
    #endif
}
