import APIKit
import APIKitTestServer
import Foundation

/// Compares what a case expects with what happened.
struct CaseCheck {
    let test: ConformanceCase
    let requests: [ScriptedServer.Arrival]
    let outcome: Outcome

    /// Why the case fails; nil if it does not.
    func problem() -> String? {
        if requests.isEmpty, !test.responses.isEmpty { return "no request was sent" }
        for assertion in test.assertions {
            if let problem = problem(of: assertion) { return "\(assertion.type): \(problem)" }
        }
        // The other suite has cases whose `path` is not that of the operation.
        return test.suite == "Basecamp" ? RequestCheck(test: test, requests: requests).problem() : nil
    }

    private func problem(of assertion: ConformanceCase.Assertion) -> String? {
        switch assertion.type {
        case "requestCount": difference(from: assertion.expected, .number(.init(requests.count)))
        case "delayBetweenRequests": problemOfPauses(assertion)
        case "noError": outcome.failure.map { "the call failed: \($0.message)" }
        case "errorRaised": outcome.failure == nil ? "the call succeeded" : nil
        case "statusCode": difference(from: assertion.expected, status)
        case "responseBody": difference(from: assertion.expected, outcome.result?.value(at: assertion.path))
        case "responseMeta": difference(from: assertion.expected, outcome.meta[assertion.path])
        // A request to another origin fails the case, whatever it asserts.
        case "urlOrigin": requests.count == 1 ? nil : "\(requests.count) requests"
        case "errorType", "errorCode", "errorMessage", "errorField": problemOfFailure(assertion)
        default: problemOfRequest(assertion)
        }
    }

    /// The status of the failure or, after a success, of the last response.
    private var status: JSONValue? {
        if let failure = outcome.failure { return failure.status.map { .number(.init($0)) } }
        return test.responses.indices.contains(requests.count - 1) ? test.responses[requests.count - 1]["status"] : nil
    }

    private func problemOfPauses(_ assertion: ConformanceCase.Assertion) -> String? {
        let pauses = zip(requests.dropFirst(), requests).map { $0.time - $1.time }
        // The suite of Hey measures the first pause, that of Basecamp all of them, or one.
        let first = test.suite == "Hey" ? 0 : assertion.index
        let measured = first.map { index in pauses.indices.contains(index) ? [pauses[index]] : [] } ?? pauses
        if measured.isEmpty { return "there is no pause" }
        return measured.first { $0 < assertion.minimum }.map { "\($0) is shorter than \(assertion.minimum)" }
    }

    private func problemOfFailure(_ assertion: ConformanceCase.Assertion) -> String? {
        guard let failure = outcome.failure else { return "the call succeeded" }
        switch (assertion.type, assertion.path) {
        case ("errorMessage", _):
            let expected = assertion.expected?.string ?? ""
            return failure.message.contains(expected) ? nil : "\"\(failure.message)\" does not contain \"\(expected)\""
        case ("errorField", "httpStatus"):
            return difference(from: assertion.expected, failure.status.map { .number(.init($0)) })
        case ("errorField", "retryable"): return difference(from: assertion.expected, .bool(failure.isRetryable))
        case ("errorField", "requestId"):
            return difference(from: assertion.expected, failure.requestID.map { .string($0) })
        case ("errorCode", _), ("errorType", _): return difference(from: assertion.expected, .string(failure.code))
        default: return "unknown field \(assertion.path)"
        }
    }

    private func problemOfRequest(_ assertion: ConformanceCase.Assertion) -> String? {
        let index = assertion.type.hasPrefix("last") ? -1 : assertion.index ?? 0
        let position = index < 0 ? requests.count + index : index
        guard requests.indices.contains(position) else { return "there is no request \(index)" }
        let request = requests[position].request
        let header = request.values(of: assertion.path).first
        switch assertion.type {
        case "requestPath", "lastRequestPath": return difference(from: assertion.expected, .string(request.path))
        case "requestMethod": return difference(from: assertion.expected, .string(request.method))
        case "headerPresent": return header?.isEmpty == false ? nil : "there is no \(assertion.path)"
        case "headerAbsent": return header.map { "\(assertion.path) is \($0)" }
        case "headerInjected": return difference(from: assertion.expected, header.map { .string($0) })
        case "requestQuery", "lastRequestQuery": return differences(from: assertion.expected) { request.item($0) }
        case "requestBody" where assertion.path.isEmpty:
            return differences(from: assertion.expected) { request.json?.value(at: $0) }
        case "requestBody": return difference(from: assertion.expected, request.json?.value(at: assertion.path))
        case "requestBodyAbsent": return request.json?.value(at: assertion.path).map { "\(assertion.path) is \($0)" }
        default: return "unknown assertion"
        }
    }

    /// Compares the members of an object with values; null means that there is no value.
    private func differences(from expected: JSONValue?, _ value: (String) -> JSONValue?) -> String? {
        for (name, expected) in expected?.object ?? [:] {
            let difference = difference(from: expected.isNull ? nil : expected, value(name))
            if let difference { return "\(name): \(difference)" }
        }
        return nil
    }

    private func difference(from expected: JSONValue?, _ value: JSONValue?) -> String? {
        // In a query, numbers are texts.
        if expected == value || expected?.number?.description == value?.string { return nil }
        return "\(value?.description ?? "nothing") instead of \(expected?.description ?? "nothing")"
    }
}

extension ReceivedRequest {
    /// The body, if it is JSON.
    fileprivate var json: JSONValue? { try? JSONValue.process(data: body) }

    /// The value of a query item; nil if there is none.
    fileprivate func item(_ name: String) -> JSONValue? {
        let items = URLComponents(string: target)?.queryItems ?? []
        return items.first { $0.name == name }.map { .string($0.value ?? "") }
    }
}

extension JSONValue {
    /// The value at a path of names and positions that are separated by dots.
    fileprivate func value(at path: String) -> JSONValue? {
        var value: JSONValue? = self
        for segment in path.split(separator: ".") {
            value = Int(segment).flatMap { value?[$0] } ?? value?[String(segment)]
        }
        return value
    }
}
