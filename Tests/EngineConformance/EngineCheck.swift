import APIKitCore
import APIKitTestServer
import Foundation
import TestTraits
import Testing

/// One clause of the contract that every engine keeps (`APIClient.perform(_:in:)` in APIKitCore), as a check to run in
/// a test.
///
/// ```swift
/// @Suite(.serialized, .timeLimit(.minutes(10))) struct MyEngineTests {
///     let engine = Engine("MyEngine", MyEngine())
///
///     @Test(arguments: EngineCheck.all) func conforms(check: EngineCheck) async throws {
///         try await check.run(engine)
///     }
/// }
/// ```
///
/// The checks start their own server on the loopback interface; no network is needed. Run one at a time: some compare
/// how long steps take, and some look for remaining temporary files of the process. A check never ends if the engine
/// loses a callback, hence the time limit.
///
/// This module imports Testing, so depend on it from a test target only.
public struct EngineCheck: Sendable, CustomStringConvertible {
    /// The clause, which names the test case.
    public let description: String
    /// Runs the check against an engine.
    ///
    /// Each failed expectation is recorded as an issue of the test that calls this.
    ///
    /// - Throws: Any error that the engine throws although the check expects a response, and `POSIXError` if the server
    ///   cannot create its socket.
    public let run: @Sendable (Engine) async throws -> Void

    /// Creates a check. If it needs a delivery that an engine lacks, the engine must say so.
    init(
        _ description: String, delivering delivery: ResponseBody.Delivery? = nil,
        _ run: @escaping @Sendable (Engine) async throws -> Void
    ) {
        self.description = description
        self.run = { engine in
            if let delivery, engine.quirks.contains(.deliversDataAlone) {
                let url = URL(string: "http://127.0.0.1:9/")!  // a valid literal
                let error = await #expect(throws: TransportError.self) {
                    try await engine.client.perform(HTTPRequest(url: url, delivery: delivery))
                }
                #expect(error?.code == .unsupported)
                #expect(error?.message?.contains("URLSession.api") == true)
            } else {
                try await run(engine)
            }
        }
    }

    /// Whether the environment asks for ``soak`` and ``load``, by the variable `APIKIT_SOAK`.
    public static var isSoaking: Bool { Effort.isSoaking }

    /// The whole contract, except for what needs a server with TLS; see ``secure``.
    public static let all: [EngineCheck] = [
        responses, codings, requests, origins, uploads, streams, files, progress, faults, limits, connections,
        unsolicited, cancellation, accounts,
    ].flatMap(\.self)

    /// The clauses that take little time, and the one about cookies, which only sessions keep.
    package static let brief = responses + requests + progress + [manyCookies]
}

extension Engine {
    /// Performs a request for a target on a server.
    func perform(
        _ target: String, on server: LoopbackServer, method: HTTPMethod = .get, headers: HTTPHeaders = [:],
        body: RequestBody? = nil, options: RequestOptions = RequestOptions(), delivery: ResponseBody.Delivery = .data,
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> HTTPResponse {
        let url = try #require(URL(string: server.url.absoluteString + target))
        let request = HTTPRequest(
            method: method, url: url, headers: headers, body: body, options: options, delivery: delivery)
        let call = Call(clock: client.clock, progress: progress.map { .anywhere($0) })
        return try await client.perform(request, in: call)
    }

    /// Expects that a request for a target on a server fails with a code.
    func expectFailure(
        _ code: TransportError.Code, _ target: String, on server: LoopbackServer, method: HTTPMethod = .get,
        body: RequestBody? = nil, options: RequestOptions = RequestOptions(), _ comment: Comment? = nil
    ) async {
        let actual = await failureCode {
            try await perform(target, on: server, method: method, body: body, options: options)
        }
        #expect(actual == code, comment)
    }

    /// The code of the ``TransportError`` that performing throws; nil, with an issue recorded, for anything else.
    func failureCode(_ perform: () async throws -> HTTPResponse) async -> TransportError.Code? {
        do {
            let response = try await perform()
            Issue.record("\(description) returned \(response) instead of an error")
        } catch let error as TransportError {
            return error.code
        } catch { Issue.record("\(description) threw \(error) instead of a TransportError") }
        return nil
    }
}

/// Whether something takes about as long as a round trip, and not as long as a timeout.
///
/// Both are measured in turn, and compared with each other, since the machine may be busy.
func isPrompt(
    besides roundTrip: () async throws -> Void, _ measure: () async throws -> Duration
) async throws -> Bool {
    for _ in 0..<3 {
        var roundTrips: [Duration] = []
        var times: [Duration] = []
        for _ in 0..<9 {
            roundTrips.append(try await ContinuousClock().measure { try await roundTrip() })
            times.append(try await measure())
        }
        if median(times) < median(roundTrips) * 50 {
            return true
        }
    }
    return false
}

private func median(_ durations: [Duration]) -> Duration { durations.sorted()[durations.count / 2] }

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body.data ?? Data(), as: UTF8.self) }
}

extension ServerAnswer {
    /// Five of a hundred bytes, and then a step.
    static func short(then step: Step) -> ServerAnswer {
        ServerAnswer(steps: [.send(Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort".utf8)), step])
    }
}
