import APIKit
import Foundation
import SuiteSupport
import Testing

@testable import Hey

@Suite(.timeLimit(.minutes(1))) struct HeyTests {
    @Test(arguments: try ConformanceCase.all(of: "Hey")) func conforms(test: ConformanceCase) async throws {
        try await test.run { server in
            do {
                var client = try HeyClient(
                    credentials: .bearer("conformance-test-token"),
                    at: test.arguments.optionalText("baseUrl") ?? server.url.absoluteString, on: server.client)
                if let account = test.arguments.optionalNumber("accountId") {
                    client = try await client.filtered(by: account)
                }
                return try await client.outcome(of: test)
            } catch APIError<HeyError>.unreadable(_, let response) {
                // The suite's own runner reads no models, and many bodies are not what the description says.
                return Outcome(response)
            } catch let error as APIError<HeyError> {
                return Outcome(failure: Outcome.Failure(error))
            }
        }
    }
}

extension Outcome.Failure {
    fileprivate init(_ error: APIError<HeyError>) {
        self.init(
            code: error.kind.rawValue, message: error.localizedDescription, status: error.status,
            isRetryable: error.isRetryable, requestID: error.requestID)
    }
}

extension Outcome {
    /// The outcome of a call that returned no model.
    fileprivate init(_ response: HTTPResponse) {
        let body = response.body.data.flatMap { try? JSONValue.process(data: $0) }
        self.init(meta: Self.meta(of: response.head), result: body)
    }

    /// What the cases ask about the headers of a page.
    fileprivate static func meta(of head: HTTPResponse.Head) -> [String: JSONValue] {
        var meta: [String: JSONValue] = [:]
        if let total = head.headers["X-Total-Count"].flatMap({ Int($0) }) { meta["totalCount"] = .number(.init(total)) }
        if let next = head.links[.next], let parts = URLComponents(url: next, resolvingAgainstBaseURL: true) {
            let page = parts.queryItems?.first { $0.name == "page" }
            meta["nextPage"] = page.map { .string($0.value ?? "") }
        }
        return meta
    }
}

extension HeyClient {
    /// Calls the operation of a case.
    fileprivate func outcome(of test: ConformanceCase) async throws -> Outcome {
        if test.operation == "GetOngoingTimeTrack" {
            return Outcome(result: try await ongoingTimeTrack().flatMap { JSONValue(encoded: $0) })
        }
        let request = try #require(reads[test.operation] ?? writes[test.operation])
        return try await outcome(of: request(test.arguments))
    }

    private func outcome<R: HeyRequest>(of request: R) async throws -> Outcome {
        let reply = try await client.reply(to: request)
        return Outcome(meta: Outcome.meta(of: reply.head), result: JSONValue(encoded: reply.model))
    }
}
