import APIKit
import Foundation
import SuiteSupport
import Testing

@testable import Hey

@Suite(.timeLimit(.minutes(1))) struct HeyTests {
    @Test(arguments: try ConformanceCase.all(of: "Hey")) func conforms(test: ConformanceCase) async throws {
        try await test.run { server in
            do throws(HeyFailure) {
                let url = test.arguments.optionalText("baseUrl") ?? server.url.absoluteString
                var client = try HeyClient(
                    credentials: .bearer("conformance-test-token"), at: url, on: server.client)
                if let account = test.arguments.optionalNumber("accountId") {
                    client = try await client.filtered(by: account)
                }
                return try await client.outcome(of: test)
            } catch {
                return Outcome(failure: Outcome.Failure(error))
            }
        }
    }
}

extension Outcome.Failure {
    fileprivate init(_ failure: HeyFailure) {
        self.init(
            code: failure.code.rawValue, message: failure.message, status: failure.status,
            isRetryable: failure.isRetryable, requestID: failure.requestID)
    }
}

extension HeyClient {
    /// Calls the operation of a case.
    fileprivate func outcome(of test: ConformanceCase) async throws(HeyFailure) -> Outcome {
        if test.operation == "GetOngoingTimeTrack" {
            do {
                _ = try await ongoingTimeTrack()
            } catch  where (200..<300).contains(error.status ?? 0) {
                return Outcome()
            } catch {
                throw error
            }
            return Outcome()
        }
        guard let request = reads[test.operation] ?? writes[test.operation] else {
            throw HeyFailure(code: .usage, message: "The operation \(test.operation) is unknown.")
        }
        return try await outcome(of: request(test.arguments))
    }

    private func outcome<R: HeyRequest>(of request: R) async throws(HeyFailure) -> Outcome {
        do {
            let reply = try await client.reply(to: request)
            return Outcome(meta: meta(of: reply.head), result: JSONValue(encoded: reply.model))
        } catch .unreadable(_, let response) {
            // The suite's own runner reads no models, and many bodies are not what the description says.
            let body = response.body.data.flatMap { try? JSONValue.process(data: $0) }
            return Outcome(meta: meta(of: response.head), result: body)
        } catch {
            throw HeyFailure(error)
        }
    }

    private func meta(of head: HTTPResponse.Head) -> [String: JSONValue] {
        var meta: [String: JSONValue] = [:]
        if let total = head.headers["X-Total-Count"].flatMap({ Int($0) }) { meta["totalCount"] = .number(.init(total)) }
        if let next = head.links[.next], let items = URLComponents(url: next, resolvingAgainstBaseURL: true)?.queryItems
        {
            meta["nextPage"] = items.first { $0.name == "page" }.map { .string($0.value ?? "") }
        }
        return meta
    }
}
