import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

@Suite(.timeLimit(.minutes(10))) struct FaultInjectionTests {
    private static let ada = Account(id: 1, login: "ada")
    private static let line = "GET https://api.example.com/accounts/1"
    private let stub = StubClient(.json(#"{"id":1,"login":"ada"}"#))

    private func injecting(_ faults: FaultInjection) -> FaultInjectingClient {
        stub.timed(by: ManualClock(skippingSleep: true)).injectingFaults(faults)
    }

    // MARK: - Faults

    @Test func withoutFaultsNothingChanges() async throws {
        let client = injecting(FaultInjection(seed: 7))
        #expect(try await client.send(AccountRequest()) == Self.ada)
        #expect(client.log.map(\.fault) == [nil])
        #expect(client.log.map(\.delay) == [nil])
        #expect(client.description == "seed 7:\n\(Self.line) (1): no fault")
    }

    @Test(
        arguments: [
            (
                FaultInjection(seed: 7, lostRequests: 1),
                "connectionLost: simulated: connection lost before the request was sent", 0
            ),
            (
                FaultInjection(seed: 7, lostResponses: 1),
                "connectionLost: simulated: connection lost before the response",
                1
            ),
            (
                FaultInjection(seed: 7, truncatedBodies: 1),
                "connectionLost: simulated: connection lost within the body", 1
            ),
            (FaultInjection(seed: 7, serverErrors: 1, statuses: [502]), "502: simulated", 0),
        ] as [(FaultInjection, String, Int)])
    func faultNamesItselfAndItsRequest(faults: FaultInjection, text: String, sent: Int) async throws {
        let client = injecting(faults)
        for number in 1...2 {
            let error = try await client.failure(of: AccountRequest())
            #expect(error.description == "\(Self.line): \(text) (seed 7, request \(number))")
            #expect(error.transportCode == (faults.serverErrors > 0 ? nil : .connectionLost))
            #expect(error.status == (faults.serverErrors > 0 ? 502 : nil))
            #expect(stub.requests.count == number * sent)
        }
        if faults.serverErrors > 0 {
            #expect(client.log.first?.fault == .serverError(status: 502, retryAfter: nil))
        }
    }

    @Test func everyStatusOccursAndSomeAskForAPause() async throws {
        let client = injecting(FaultInjection(seed: 7, serverErrors: 1))
        var heads: [HTTPResponse.Head] = []
        for _ in 0..<400 {
            let error = try await client.failure(of: AccountRequest())
            heads.append(try #require(error.response?.head))
        }
        let counts = Dictionary(grouping: heads, by: \.status).mapValues(\.count)
        #expect(Set(counts.keys) == [500, 502, 503, 504])
        #expect(counts.values.allSatisfy { 60...140 ~= $0 })
        #expect(Set(heads.compactMap(\.retryAfter)) == Set((1...5).map { Duration.seconds($0) }))
        #expect(heads.count { $0.status == 503 && $0.retryAfter == nil } > 20)
        let none = injecting(FaultInjection(seed: 7, serverErrors: 1, statuses: []))
        #expect(try await none.failure(of: AccountRequest()).status == 503)
    }

    @Test func truncatedStreamDeliversSomeBytes() async throws {
        func stream(_ pieces: String...) async throws -> ByteStream {
            let base = ImmediateClient {
                let stream = ByteStream(pieces.map { Data($0.utf8) })
                return HTTPResponse(head: .init(status: 200, url: $0.url), body: ResponseBody(stream))
            }
            let client = base.injectingFaults(FaultInjection(seed: 7, truncatedBodies: 1))
            return try await client.send(Endpoint<ByteStream, Data>())
        }
        var pieces = try await stream("one\ntwo\n", "three\n").makeAsyncIterator()
        #expect(try await pieces.next() == Data("one\n".utf8))
        let error = await #expect(throws: APIError<Data>.self) { try await pieces.next() }
        #expect(error?.transportCode == .connectionLost)
        #expect(error?.transportError?.message?.contains("seed 7") == true)
        let none = try await stream()
        await #expect(throws: APIError<Data>.self) { try await none.data(upTo: 10) }
    }

    @Test func duplicateIsSentTwiceAndItsSecondResponseReturned() async throws {
        let (sent, reporting) = (Recorder<HTTPRequest>(), Recorder<Bool>())
        let base = StubClient { request in
            let number = sent.append(request)
            // Only the second one matters.
            if number == 1 { throw TransportError(.connectionLost) }
            return .json(#"{"id":\#(number),"login":"ada"}"#)
        }
        let client = base.intercepting { _, call in reporting.append(call.reportsProgress) }
            .injectingFaults(FaultInjection(seed: 7, duplicates: 1))
        #expect(try await client.send(AccountRequest(), progress: .anywhere { _ in }).id == 2)
        #expect(base.requests.count == 2)
        #expect(reporting.values == [false, true])
        #expect(client.log.map(\.fault) == [.duplicate])
    }

    @Test func typedAnswerIsPassedOnOrLost() async throws {
        let typed = StubClient().answering(AccountRequest.self) { _ in Self.ada }
        for faults in [FaultInjection(seed: 7), FaultInjection(seed: 7, duplicates: 1)] {
            #expect(try await typed.injectingFaults(faults).send(AccountRequest()) == Self.ada)
        }
        let truncated = typed.injectingFaults(FaultInjection(seed: 7, truncatedBodies: 1))
        #expect(try await truncated.failure(of: AccountRequest()).transportCode == .connectionLost)
    }

    @Test(arguments: [
        FaultInjection(seed: 7, lostResponses: 1), FaultInjection(seed: 7, truncatedBodies: 1),
        FaultInjection(seed: 7, duplicates: 1),
    ])
    func errorOfTheBaseIsPassedOn(faults: FaultInjection) async throws {
        let failing = StubClient { _ in throw TransportError(.cannotConnect) }.injectingFaults(faults)
        #expect(try await failing.failure(of: AccountRequest()).transportCode == .cannotConnect)
    }

    // MARK: - Delays

    @Test func delaysAreTimedByTheClock() async throws {
        let clock = ManualClock()
        let faults = FaultInjection(seed: 7, delays: 1, delay: .seconds(2)...(.seconds(4)))
        let client = stub.timed(by: clock).injectingFaults(faults)
        let task = Task { try await client.send(AccountRequest()) }
        await clock.waitForSleepers(1)
        #expect(stub.requests.isEmpty)
        let delay = try #require(client.log.first?.delay)
        #expect(faults.delay.contains(delay))
        #expect(clock.advanceToNextSleeper() == delay)
        #expect(try await task.value == Self.ada)
        #expect(client.log.first?.description.contains("delayed by") == true)
    }

    @Test func cancelledTaskGetsNoFault() async throws {
        let client = injecting(FaultInjection(seed: 7, lostRequests: 1))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.perform(AccountRequest().httpRequest())
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(client.log.isEmpty)
    }

    @Test func cancelledDuplicateIsNotSentAgain() async throws {
        let base = StubClient { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .status(200)
        }
        let client = base.injectingFaults(FaultInjection(seed: 7, duplicates: 1))
        let task = Task { try await client.perform(AccountRequest().httpRequest()) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(base.requests.count == 1)
    }

    @Test func delayBeyondTheTimeoutIsATimeout() async throws {
        let clock = ManualClock(skippingSleep: true)
        let faults = FaultInjection(seed: 7, delays: 1, delay: .seconds(9)...(.seconds(9)))
        let client = stub.timed(by: clock).injectingFaults(faults)
        var request = Endpoint<Account, Data>()
        request.options.timeout = .seconds(8)
        let error = try await client.failure(of: request)
        #expect(error.transportCode == .timedOut)
        #expect(error.description.contains("seed 7"))
        #expect(clock.elapsed == .seconds(8))
        request.options.timeout = .seconds(9)
        #expect(try await client.failure(of: request).transportCode == .timedOut)
        request.options.timeout = .seconds(10)
        #expect(try await client.send(request) == Self.ada)
    }

    @Test(arguments: [Duration.seconds(-9), .seconds(Int64.min), .seconds(Int64.max)])
    func anyDelayIsPossible(bound: Duration) async throws {
        let client = injecting(FaultInjection(seed: 7, delays: 1, delay: min(bound, .zero)...max(bound, .zero)))
        _ = try? await client.send(AccountRequest())
        #expect(client.log.first?.delay ?? .seconds(-1) >= .zero)
    }

    // MARK: - Decisions

    @Test func sharesAreKept() async throws {
        let client = injecting(.seed(42))
        for number in 0..<4000 { _ = try? await client.send(AccountRequest(id: number % 40)) }
        #expect(abs(client.log.count { $0.delay != nil } - 1200) < 120)
        for fault in [FaultInjection.Fault.lostRequest, .lostResponse, .truncatedBody, .duplicate] {
            #expect(abs(client.log.count { $0.fault == fault } - 200) < 60, "\(fault)")
        }
        #expect(abs(client.log.count { if case .serverError = $0.fault { true } else { false } } - 400) < 80)
        #expect(client.log.compactMap(\.delay).allSatisfy { client.faults.delay.contains($0) })
    }

    @Test func sharesOutOfRangeCountAsNoneOrAll() async throws {
        for share in [-1, -Double.infinity, .nan] {
            let client = injecting(
                FaultInjection(seed: 7, delays: share, lostRequests: share, lostResponses: share, duplicates: 1))
            _ = try await client.send(AccountRequest())
            #expect(client.log.map(\.fault) == [.duplicate])
            #expect(client.log.map(\.delay) == [nil])
        }
        let all = injecting(FaultInjection(seed: 7, lostRequests: 9, duplicates: 9))
        _ = try? await all.send(AccountRequest())
        #expect(all.log.map(\.fault) == [.lostRequest])
    }

    // The decisions of a seed are part of what a failing test reports, so no later version may change them.
    @Test func decisionsOfASeedStayTheSame() async throws {
        let clients = [injecting(.seed(7)), injecting(.seed(7)), injecting(.seed(8))]
        for client in clients { for _ in 0..<12 { _ = try? await client.send(AccountRequest()) } }
        let faults = [
            "status 503", "-", "-", "-", "-", "connection lost before the request was sent", "-", "-", "status 500",
            "-", "connection lost before the request was sent", "connection lost within the body",
        ]
        #expect(clients[0].log.map { $0.fault?.description ?? "-" } == faults)
        #expect(clients[0].log == clients[1].log)
        #expect(clients[0].log != clients[2].log)
    }

    @Test func concurrentRequestsDoNotChangeEachOthersFaults() async throws {
        func story(concurrent: Bool) async -> Set<FaultInjectingClient.Entry> {
            let client = injecting(.seed(3))
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    if !concurrent { await group.waitForAll() }
                    group.addTask { _ = try? await client.send(AccountRequest(id: number % 20)) }
                }
            }
            return Set(client.log)
        }
        let calm = await story(concurrent: false)
        #expect(calm.count == 200)
        for _ in 0..<5 { #expect(await story(concurrent: true) == calm) }
    }

    @Test func logMasksSecrets() async throws {
        let client = injecting(FaultInjection(seed: 7, lostRequests: 1))
        let authorized = client.authorized(by: .query("appid", "schlüssel"), for: "https://api.example.com")
        let error = try await authorized.failure(of: Endpoint<Data, Data>(parameters: ["access_token": "s3cret"]))
        for text in ["\(client)", "\(client.log)", "\(error)"] {
            #expect(!text.contains("s3cret") && !text.contains("schl"), "\(text)")
        }
        #expect(client.log.first?.description.contains("things?access_token=***&appid=***") == true)
    }
}
