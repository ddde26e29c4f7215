import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

/// The retries of a request's options, which replace those of a policy.
@Suite(.timeLimit(.minutes(10))) struct RetryOptionsTests {
    private typealias Retries = RequestOptions.Retries

    private let clock = ManualClock(skippingSleep: true)

    /// A client with a policy of three attempts, without a budget.
    private func retrying(_ base: any APIClient, statuses: Set<Int>? = nil) -> any APIClient {
        var policy = RetryPolicy.backoff(attempts: 3)
        policy.budget = nil
        if let statuses { policy.statuses = statuses }
        return base.timed(by: clock).retrying(policy)
    }

    private func request(_ retries: RequestOptions.Retries?, method: HTTPMethod = .get) -> HTTPRequest {
        HTTPRequest(
            method: method, url: URL(string: "https://api.example.com/things")!,
            options: RequestOptions(retries: retries))
    }

    @Test(
        arguments: [
            (nil, 3), (Retries(), 3), (Retries(attempts: 5), 5), (Retries(attempts: 2), 2), (.never, 1),
            (Retries(attempts: 0), 1), (Retries(attempts: .min), 1),
        ] as [(RequestOptions.Retries?, Int)])
    func attemptsReplaceThePolicys(retries: RequestOptions.Retries?, sent: Int) async throws {
        let server = ScriptedClient(.status(503))
        #expect(try await retrying(server).perform(request(retries)).head.status == 503)
        #expect(server.requests.count == sent)
    }

    @Test(
        arguments: [
            (nil, 503, true), (nil, 409, false), ([409, 429], 409, true), ([409, 429], 503, false), ([], 503, false),
        ] as [(Set<Int>?, Int, Bool)])
    func statusesReplaceThePolicys(statuses: Set<Int>?, status: Int, isRepeated: Bool) async throws {
        let server = ScriptedClient(.status(status), .status(204))
        let retries = RequestOptions.Retries(statuses: statuses)
        #expect(try await retrying(server).perform(request(retries)).head.status == (isRepeated ? 204 : status))
    }

    @Test(arguments: [("true", 418, 2), ("false", 409, 1)] as [(String, Int, Int)])
    func theServerStillDecides(text: String, status: Int, sent: Int) async throws {
        let server = ScriptedClient(.status(status, headers: ["X-Should-Retry": text]), .status(204))
        _ = try await retrying(server).perform(request(Retries(statuses: [409])))
        #expect(server.requests.count == sent)
    }

    @Test func aClosureSeesTheStatusesAndCannotExceedTheAttempts() async throws {
        let server = ScriptedClient(.status(409))
        let isTemporary = Recorder<Bool>()
        var policy = RetryPolicy.backoff()
        policy.shouldRetry = { attempt in
            isTemporary.append(attempt.isTemporary)
            return true
        }
        let client = server.timed(by: clock).retrying(policy)
        _ = try await client.perform(request(Retries(attempts: 2, statuses: [409])))
        #expect(server.requests.count == 2)
        #expect(isTemporary.values == [true])
    }

    @Test(arguments: [(nil, 1), (true, 2)] as [(Bool?, Int)])
    func aPOSTIsSentAgainOnlyIfItIsIdempotent(isIdempotent: Bool?, sent: Int) async throws {
        let server = ScriptedClient(.status(503), .status(204))
        var request = request(Retries(attempts: 5), method: .post)
        request.options.isIdempotent = isIdempotent
        _ = try await retrying(server).perform(request)
        #expect(server.requests.count == sent)
    }

    @Test(arguments: 0...5) func anEnginesRepetitionsCount(attempts: Int) async {
        let engine = BreakingEngine()
        await #expect(throws: TransportError.self) {
            try await retrying(engine).perform(request(Retries(attempts: attempts)))
        }
        #expect(engine.sendings.values == (0..<max(attempts, 1)).map { !$0.isMultiple(of: 2) })
    }

    @Test(arguments: [true, false]) func anEngineAloneSendsARequestWithOneAttemptOnce(refuses: Bool) async {
        for (retries, sendings) in [(.never, [false]), (Retries(attempts: 2), [false, true]), (nil, [false, true])]
            as [(RequestOptions.Retries?, [Bool])]
        {
            let engine = BreakingEngine(refuses: refuses)
            await #expect(throws: TransportError.self) { try await engine.perform(request(retries)) }
            #expect(engine.sendings.values == sendings)
        }
    }

    @Test(
        arguments: [
            (Retries(), 409, 2), (Retries(attempts: 4), 409, 4), (Retries(statuses: [500]), 500, 2),
            (Retries(attempts: 4, statuses: [500]), 409, 1),
        ] as [(RequestOptions.Retries, Int, Int)])
    func aCallsRetriesOverrideTheEndpointsOneByOne(
        retries: RequestOptions.Retries, status: Int, sent: Int
    ) async throws {
        let server = ScriptedClient(.status(status))
        let endpoint = Endpoint<Data, Data>(options: .init(retries: .init(attempts: 2, statuses: [409])))
        let client = retrying(server)
        await #expect(throws: APIError<Data>.self) {
            try await client.send(endpoint, options: RequestOptions(retries: retries))
        }
        #expect(server.requests.count == sent)
    }
}
