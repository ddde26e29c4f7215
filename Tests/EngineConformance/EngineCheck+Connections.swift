import APIKitCore
import APIKitSupport
import APIKitTestServer
import Foundation
import TestTraits
import Testing

extension EngineCheck {
    static let connections: [EngineCheck] = [
        EngineCheck("a request with a method that is not idempotent is sent at most once") { engine in
            let bodies: [RequestBody?] = [
                nil, .data(bytes(10), contentType: nil), .data(bytes(1_000_000), contentType: nil),
                .stream(length: nil, contentType: nil) { ByteStream([bytes(300_000)]) },
            ]
            for ending in [ServerAnswer.Step.close, .reset] {
                for (method, body) in [HTTPMethod.post, .patch].flatMap({ method in bodies.map { (method, $0) } }) {
                    let server = try LoopbackServer { request in
                        request.method == "GET" ? .text("ok") : ServerAnswer(steps: [ending])
                    }
                    // An existing connection, since only a failure of a reused one tempts an engine to send again.
                    for _ in 0..<2 { _ = try await engine.perform("/", on: server) }
                    await engine.expectFailure(.connectionLost, "/", on: server, method: method, body: body)
                    #expect(server.requests.count { $0.method != "GET" } == 1)
                }
            }
        },
        EngineCheck("a request over a new connection that breaks before the response is sent once") { engine in
            for ending in [ServerAnswer.Step.close, .reset] {
                for method in [HTTPMethod.get, .put, .delete, .post] {
                    // A server of its own, to which no connection exists.
                    let server = try LoopbackServer { _ in ServerAnswer(steps: [ending]) }
                    let body: RequestBody? = method == .put ? .data(bytes(100), contentType: nil) : nil
                    await engine.expectFailure(.connectionLost, "/", on: server, method: method, body: body)
                    #expect(server.requests.count == 1, "\(method), \(ending)")
                }
            }
        },
        EngineCheck("an idempotent request over a kept connection that breaks is sent again, once") { engine in
            for ending in [ServerAnswer.Step.close, .reset] {
                for method in [HTTPMethod.get, .put] {
                    for breaks in 1...3 {
                        let count = Locked(0)
                        let server = try LoopbackServer { request in
                            guard request.path == "/breaking" else { return .text("ok") }
                            let number = count.withLock { count in
                                count += 1
                                return count
                            }
                            return number <= breaks ? ServerAnswer(steps: [ending]) : .text("again")
                        }
                        _ = try await engine.perform("/", on: server)
                        let body: RequestBody? = method == .put ? .data(bytes(100), contentType: nil) : nil
                        if breaks == 1 {
                            let response = try await engine.perform("/breaking", on: server, method: method, body: body)
                            #expect(response.text == "again")
                        } else {
                            await engine.expectFailure(
                                .connectionLost, "/breaking", on: server, method: method, body: body)
                        }
                        #expect(count.withLock { $0 } == 2, "\(method), \(ending), \(breaks)")
                    }
                }
            }
        },
        EngineCheck("an idempotent request survives kept connections that close, without a timeout") { engine in
            for ending in [ServerAnswer.Step.close, .reset] {
                let server = try LoopbackServer { _ in ServerAnswer(steps: ServerAnswer.text("ok").steps + [ending]) }
                let body = RequestBody.data(bytes(100_000), contentType: nil)
                let losses = Locked(0)
                await forEach(0..<300, width: 20) { index in
                    let (method, body) = [(HTTPMethod.get, nil), (.put, body), (.delete, body)][index % 3]
                    do {
                        let response = try await engine.perform(
                            "/", on: server, method: method, body: body, options: patient)
                        #expect(response.text == "ok")
                    } catch  where isReset(ending, error) {
                        // A reset may discard the responses of both attempts, but only rarely.
                        losses.withLock { $0 += 1 }
                    } catch { Issue.record("\(method): \(error)") }
                }
                #expect(losses.withLock { $0 } <= 6)
            }
        },
        EngineCheck("a POST over kept connections that close is sent at most once, without a timeout") { engine in
            let server = try LoopbackServer { _ in ServerAnswer(steps: ServerAnswer.text("ok").steps + [.close]) }
            await forEach(0..<300, width: 20) { index in
                let body = RequestBody.data(bytes(index % 2 * 100_000), contentType: nil)
                do {
                    _ = try await engine.perform(
                        "/\(index)", on: server, method: .post, body: body, options: patient)
                } catch let error as TransportError where error.code == .connectionLost {
                    // It may have been executed, so the caller must decide whether to send it again.
                } catch { Issue.record(error) }
            }
            #expect(Set(server.requests.map(\.target)).count == server.requests.count)
        },
        EngineCheck("over kept connections that break, a PUT arrives at most twice, and whole") { engine in
            let bodies: [RequestBody] = [
                .data(bytes(10), contentType: nil), .data(bytes(100_000), contentType: nil),
                .stream(length: 100_000, contentType: nil) { ByteStream([bytes(100_000)]) },
                .stream(length: nil, contentType: nil) { ByteStream([bytes(50_000), bytes(100_000)[50_000...]]) },
            ]
            for answers in breakingAnswers {
                for (index, body) in bodies.enumerated() {
                    let server = try await serverWithKeptConnections(3, engine, answers)
                    let options = RequestOptions(timeout: .seconds(5))
                    do {
                        _ = try await engine.perform("/", on: server, method: .put, body: body, options: options)
                    } catch let error as TransportError { #expect(error.code == .connectionLost) }
                    let puts = server.requests.filter { $0.method == "PUT" }
                    #expect(puts.count <= 2)
                    #expect(puts.allSatisfy { $0.body == bytes(index == 0 ? 10 : 100_000) })
                }
            }
        },
        redirectsWithRacingCancels(Effort.rounds(100, thorough: 1_000)),
        rejectedCredentialsDuringDownloads(Effort.rounds(40, thorough: 200)),
        EngineCheck("an unsolicited second response is not taken for the next one") { engine in
            let responses = ["first", "late"].map { "HTTP/1.1 200 OK\r\nContent-Length: \($0.count)\r\n\r\n\($0)" }
            let server = try LoopbackServer { request in
                // In one piece: a response that arrives after the next request cannot be recognized as unsolicited.
                request.path == "/first"
                    ? ServerAnswer(steps: [.send(Data(responses.joined().utf8))]) : .text("second")
            }
            for _ in 0..<20 {
                #expect(try await engine.perform("/first", on: server).text == "first")
                #expect(try await engine.perform("/second", on: server).text == "second")
            }
        },
        EngineCheck("informational responses do not extend the timeout") { engine in
            guard !engine.quirks.contains(.deliversDataAlone) else { return }
            let informational = Data("HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n".utf8)
            let server = try LoopbackServer { _ in
                ServerAnswer(steps: [.sendForever(informational, pause: .milliseconds(100))])
            }
            await engine.expectFailure(.timedOut, "/", on: server, options: RequestOptions(timeout: .seconds(1)))
        },
        EngineCheck("a request body that never arrives fails as timedOut, and nothing is sent") { engine in
            let server = try LoopbackServer { _ in .text("") }
            let body = RequestBody.stream(length: nil, contentType: nil) { AsyncStream<Data> { _ in } }
            let options = RequestOptions(timeout: .seconds(1))
            await engine.expectFailure(.timedOut, "/", on: server, method: .put, body: body, options: options)
            #expect(server.requests.isEmpty)
        },
    ]

    /// A request that waits for this timeout is found by the time limit of the test.
    private static let patient = RequestOptions(timeout: .seconds(3600))

    /// What a server does after a response, and with a PUT: each connection breaks when it is used again.
    private static let breakingAnswers: [(after: [ServerAnswer.Step], put: ServerAnswer)] = [
        ([], ServerAnswer(steps: [.close])), ([], ServerAnswer(steps: [.reset])), ([.close], .text("ok")),
        ([.reset], .text("ok")),
    ]

    /// A server to which the engine has a number of connections.
    private static func serverWithKeptConnections(
        _ count: Int, _ engine: Engine, _ answers: (after: [ServerAnswer.Step], put: ServerAnswer)
    ) async throws -> LoopbackServer {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.method == "GET" else { return answers.put }
            return ServerAnswer(steps: [.waitFor(gate)] + ServerAnswer.text("ok").steps + answers.after)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Different ones, which no client joins.
            for index in 0..<count { group.addTask { _ = try await engine.perform("/\(index)", on: server) } }
            await server.waitForRequests(count)
            gate.open()
            try await group.waitForAll()
        }
        return server
    }

    /// The checks for races, each with at least ten times as many requests, which takes minutes.
    public static let soak: [EngineCheck] = [
        requestsWithRacingCancels(20_000), redirectsWithRacingCancels(10_000),
        rejectedCredentialsDuringDownloads(12_000),
    ]

    /// A check that redirects can be cancelled, or reach their deadline, at any time.
    public static func redirectsWithRacingCancels(_ count: Int) -> EngineCheck {
        EngineCheck("each of \(count) redirects with racing cancels and deadlines ends once") { engine in
            guard !engine.quirks.contains(.mayNotRaceCancels) else { return }
            let server = try LoopbackServer { request in
                request.path == "/end" ? .text("end") : .status(302, headers: [("Location", "/end")])
            }
            await forEach(0..<count, width: 32) { index in
                let isInTime = index % 8 == 0
                var deadline: RequestOptions.TimeLimit?
                if index % 2 == 0, !isInTime { deadline = .after(.microseconds(index * 7919 % 20_000)) }
                let request = RedirectedRequest(base: APIBase(server.url), options: RequestOptions(deadline: deadline))
                let task = Task { try await engine.client.send(request) }
                if index % 2 == 1 { await cancelAnyTime(task, index) }
                switch await task.result {
                case .success(let text): #expect(text == "end")
                case .failure(let error as APIError<String>) where !isInTime:
                    #expect(deadline == nil ? error.isCancellation : error.transportCode == .timedOut)
                case .failure(let error): Issue.record(error)
                }
            }
        }
    }

    private static func rejectedCredentialsDuringDownloads(_ count: Int) -> EngineCheck {
        EngineCheck("\(count) concurrent downloads and rejected credentials do not block each other") { engine in
            let download = bytes(2_000_000)
            let server = try LoopbackServer { request in
                guard request.path == "/secret" else { return .status(200, body: download) }
                return .status(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")], body: Data("no".utf8))
            }
            await forEach(0..<count, width: 20) { index in
                do {
                    let isDownload = index % 5 < 3
                    let response = try await engine.perform(isDownload ? "/file" : "/secret", on: server)
                    #expect(response.head.status == (isDownload ? 200 : 401))
                    if isDownload { #expect(response.body.data?.count == download.count) }
                } catch { Issue.record(error) }
            }
        }
    }

    /// Whether a response may be lost to the reset that the server sends after it.
    private static func isReset(_ ending: ServerAnswer.Step, _ error: any Error) -> Bool {
        guard case .reset = ending else { return false }
        return (error as? TransportError)?.code == .connectionLost
    }
}

/// Runs `body` for each index, `width` of them concurrently.
func forEach(_ indices: Range<Int>, width: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
        for index in indices {
            if index - indices.lowerBound >= width { await group.next() }
            group.addTask { await body(index) }
        }
    }
}
