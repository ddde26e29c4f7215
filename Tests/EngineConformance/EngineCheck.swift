import APIKitCore
import Foundation
import TestSupport
import Testing

/// One clause of the contract that every engine keeps (``APIClient/perform(_:)``), as a test to run against an engine.
///
/// ```swift
/// @Test(arguments: engines, EngineCheck.all) func conforms(engine: Engine, check: EngineCheck) async throws {
///     try await check.run(engine)
/// }
/// ```
public struct EngineCheck: Sendable, CustomStringConvertible {
    /// The clause.
    public let description: String
    /// Runs the check; what does not hold is recorded as an issue of the test that calls it.
    public let run: @Sendable (Engine) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (Engine) async throws -> Void) {
        self.description = description
        self.run = run
    }

    /// Whether ``soak`` is to be run, which takes minutes.
    public static var isSoaking: Bool { ProcessInfo.processInfo.environment["APIKIT_SOAK"] != nil }

    /// Every clause.
    public static let all = [
        answers, codings, requests, origins, uploads, streams, files, progress, faults, limits, connections,
        cancellation,
    ].flatMap(\.self)
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
            method: method, url: url, headers: headers, body: body, options: options, delivery: delivery,
            progress: progress)
        return try await client.perform(request)
    }

    /// The code of the ``TransportError`` that performing throws; nil, with an issue recorded, for anything else.
    func failureCode(
        _ perform: () async throws -> HTTPResponse
    ) async -> TransportError.Code? {
        do {
            let response = try await perform()
            Issue.record("\(description) answered \(response) where an error was expected")
        } catch let error as TransportError {
            return error.code
        } catch {
            Issue.record("\(description) threw \(error) where a TransportError was expected")
        }
        return nil
    }
}

/// The best of up to three measurements, since other tests run at the same time: enough once one is within the limit.
func isWithin(_ limit: Duration, _ measure: () async throws -> Duration) async rethrows -> Bool {
    for _ in 0..<3 where try await measure() < limit { return true }
    return false
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body.data ?? Data(), as: UTF8.self) }
}
