import APIKit
import Basecamp
import SuiteSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BasecampTests {
    @Test(arguments: try ConformanceCase.all(of: "Basecamp")) func conforms(test: ConformanceCase) async throws {
        try await test.run { server in
            do {
                let client = try BasecampClient(
                    account: basecampAccount, credentials: .bearer("conformance-test-token"),
                    at: test.arguments.optionalText("baseUrl") ?? server.url.absoluteString,
                    repeats: test.arguments.optionalNumber("maxRetries") != 0, on: server.client)
                return try await client.outcome(of: test)
            } catch let error as APIError<BasecampError> {
                return Outcome(failure: Outcome.Failure(error))
            }
        }
    }
}

extension Outcome.Failure {
    fileprivate init(_ error: APIError<BasecampError>) {
        self.init(
            code: error.kind.rawValue, message: error.message, status: error.status, isRetryable: error.isRetryable,
            requestID: error.requestID)
    }
}

extension BasecampClient {
    /// Calls the operation of a case.
    fileprivate func outcome(of test: ConformanceCase) async throws -> Outcome {
        if let operation = operations[test.operation] {
            let model = try await operation(self, test.arguments)
            let result = JSONValue(encoded: model)
            return Outcome(result: model is UpcomingSchedule ? result.map(scheduleSummary) : result)
        }
        let call = try #require(lists[test.operation] ?? combinedCalls[test.operation])
        return try await call(self, test.arguments)
    }
}
