import APIKit
import Foundation
import SuiteSupport
import Testing

@testable import Basecamp

@Suite(.timeLimit(.minutes(1))) struct BasecampTests {
    @Test(arguments: try ConformanceCase.all(of: "Basecamp")) func conforms(test: ConformanceCase) async throws {
        try await test.run { server in
            do {
                let url = test.arguments.optionalText("baseUrl") ?? server.url.absoluteString
                let client = try BasecampClient(
                    credentials: .bearer("conformance-test-token"), account: basecampAccount, at: url,
                    attempts: test.arguments.optionalNumber("maxRetries").map { Int($0) } ?? 3,
                    pageLimit: test.arguments.optionalNumber("maxPages").map { Int($0) }, on: server.client)
                return try await client.outcome(of: test)
            } catch let failure as BasecampFailure {
                return Outcome(failure: Outcome.Failure(failure))
            }
        }
    }
}

extension Outcome.Failure {
    fileprivate init(_ failure: BasecampFailure) {
        self.init(
            code: failure.code.rawValue, message: failure.message, status: failure.status,
            isRetryable: failure.isRetryable, requestID: failure.requestID)
    }
}

extension BasecampClient {
    /// Calls the operation of a case.
    fileprivate func outcome(of test: ConformanceCase) async throws -> Outcome {
        if let request = requests[test.operation] { return try await outcome(of: request(test.arguments)) }
        if let list = lists[test.operation] { return try await list(self, test.arguments) }
        guard let call = combinedCalls[test.operation] else {
            throw BasecampFailure(code: .usage, message: "The operation \(test.operation) is unknown.")
        }
        return try await call(self, test.arguments)
    }

    private func outcome<R: BasecampRequest>(of request: R) async throws(BasecampFailure) -> Outcome {
        let result = JSONValue(encoded: try await send(request))
        return Outcome(result: request is UpcomingScheduleRequest ? result.map(scheduleSummary) : result)
    }

    /// Reads a list, of which the result has the first item and what its cases ask for.
    func outcome<R: PagedRequest, Item: Encodable>(
        of request: R, maxItems: Int = .max, pages: Int? = nil
    ) async throws(BasecampFailure) -> Outcome where R.Response.Model == [Item] {
        let list = try await list(request, maxItems: maxItems, pages: pages)
        let meta: [String: JSONValue] = [
            "totalCount": .number(.init(list.total)), "truncated": .bool(list.isTruncated),
        ]
        let items = JSONValue(encoded: list.items)?.array ?? []
        return Outcome(meta: meta, result: summary(of: items))
    }
}
