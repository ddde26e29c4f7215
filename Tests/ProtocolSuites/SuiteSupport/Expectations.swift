public import APIKit
import APIKitTesting
import Foundation
public import Testing

/// The body that a request must have.
public enum ExpectedBody: Sendable {
    /// JSON with the same values, and a media type of JSON: the order of members and spaces do not count.
    case json(String)
    /// The bytes of a text.
    case text(String)
    /// These bytes.
    case data(Data)
    /// No body at all, and no `Content-Type`.
    case none
    /// Any body: the test looks at it by itself.
    case any
}

/// Checks what an endpoint sends.
///
/// - Parameters:
///   - request: The endpoint.
///   - method: The method, such as `GET`.
///   - target: The path and the query, byte for byte.
///   - headers: The headers that must have these values; nil stands for a header that must be absent. Other headers are
///     not compared.
///   - body: The body.
///   - sourceLocation: The place that a failure is reported for.
/// - Throws: An error if the request cannot be built, or if its body cannot be read.
public func expect(
    _ request: some APIRequest, sends method: String, _ target: String, headers: [String: String?] = [:],
    _ body: ExpectedBody = .none, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let sent = try request.httpRequest()
    try await expect(sent, is: method, target, headers: headers, body, sourceLocation: sourceLocation)
}

/// Checks a request that a stub has received.
///
/// - Parameters:
///   - sent: The request.
///   - method: The method, such as `GET`.
///   - target: The path and the query, byte for byte.
///   - headers: The headers that must have these values; nil stands for a header that must be absent. Other headers are
///     not compared.
///   - body: The body.
///   - sourceLocation: The place that a failure is reported for.
/// - Throws: An error if the body cannot be read.
public func expect(
    _ sent: HTTPRequest, is method: String, _ target: String, headers: [String: String?] = [:],
    _ body: ExpectedBody = .none, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    #expect(sent.method.rawValue == method, sourceLocation: sourceLocation)
    #expect(sent.url.target == target, sourceLocation: sourceLocation)
    for (name, value) in headers {
        #expect(sent.headers[HTTPHeaders.Name(rawValue: name)] == value, "\(name)", sourceLocation: sourceLocation)
    }
    try await expect(sent, has: body, sourceLocation)
}

/// Checks the model that an endpoint returns for a response.
///
/// - Parameters:
///   - request: The endpoint.
///   - body: The body of the response.
///   - status: The status of the response.
///   - headers: The headers of the response; the content type is `application/json` unless they name another.
///   - model: The model.
///   - sourceLocation: The place that a failure is reported for.
/// - Throws: An error if the endpoint does not return a model for this response.
public func expect<Request: APIRequest>(
    _ request: Request, reads body: String, status: Int = 200, headers: HTTPHeaders = [:],
    as model: Request.Response.Model, sourceLocation: SourceLocation = #_sourceLocation
) async throws where Request.Response.Model: Equatable {
    let received = try await reply(request, body, status: status, headers: headers).model
    #expect(received == model, sourceLocation: sourceLocation)
}

/// Checks the failure that an endpoint throws for a response whose status it rejects.
///
/// - Parameters:
///   - request: The endpoint.
///   - body: The body of the response.
///   - status: The status of the response.
///   - headers: The headers of the response; the content type is `application/json` unless they name another.
///   - failure: The failure.
///   - sourceLocation: The place that a failure is reported for.
public func expect<Request: APIRequest>(
    _ request: Request, rejects body: String, status: Int, headers: HTTPHeaders = [:],
    as failure: Request.Failure.Model, sourceLocation: SourceLocation = #_sourceLocation
) async where Request.Failure.Model: Equatable {
    do throws(APIError<Request.Failure.Model>) {
        _ = try await reply(request, body, status: status, headers: headers)
        Issue.record("The endpoint accepts the status \(status).", sourceLocation: sourceLocation)
    } catch .rejected(let received, let response) {
        #expect(received == failure, sourceLocation: sourceLocation)
        #expect(response.head.status == status, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}

/// Sends an endpoint to a stub that returns this response, and returns the reply.
public func reply<Request: APIRequest>(
    _ request: Request, _ body: String, status: Int = 200, headers: HTTPHeaders = [:]
) async throws(APIError<Request.Failure.Model>) -> APIReply<Request.Response.Model> {
    try await reply(request, Data(body.utf8), status: status, headers: headers)
}

/// Sends an endpoint to a stub that returns this response, and returns the reply.
public func reply<Request: APIRequest>(
    _ request: Request, _ body: Data, status: Int = 200, headers: HTTPHeaders = [:]
) async throws(APIError<Request.Failure.Model>) -> APIReply<Request.Response.Model> {
    var headers = headers
    if headers[.contentType] == nil && !body.isEmpty { headers[.contentType] = "application/json" }
    let client = StubClient(.status(status, headers: headers, body: body))
    return try await client.reply(to: request)
}

extension URL {
    /// The path and the query, percent-encoded.
    fileprivate var target: String {
        let components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        let path = components?.percentEncodedPath ?? ""
        guard let query = components?.percentEncodedQuery else { return path }
        return "\(path)?\(query)"
    }
}

/// Checks the body of a request.
private func expect(_ sent: HTTPRequest, has body: ExpectedBody, _ sourceLocation: SourceLocation) async throws {
    switch body {
    case .any: break
    case .none:
        #expect(sent.body == nil, sourceLocation: sourceLocation)
        #expect(sent.headers[.contentType] == nil, sourceLocation: sourceLocation)
    case .data(let data):
        let bytes = try await sent.bodyBytes
        #expect(bytes == data, sourceLocation: sourceLocation)
    case .text(let text):
        let bytes = try await sent.bodyBytes
        let sentText = bytes.map { String(decoding: $0, as: UTF8.self) }
        #expect(sentText == text, sourceLocation: sourceLocation)
    case .json(let text):
        let data = try #require(try await sent.bodyBytes, sourceLocation: sourceLocation)
        let sentValue = try JSONValue.process(data: data)
        let value = try JSONValue.process(data: Data(text.utf8))
        #expect(sentValue == value, sourceLocation: sourceLocation)
        let type = sent.headers[.contentType].map { MIMEType(rawValue: $0) }?.essence ?? ""
        let isJSON = type == "application/json" || type.hasSuffix("+json")
        #expect(isJSON, "Content-Type: \(type)", sourceLocation: sourceLocation)
    }
}

extension HTTPRequest {
    /// All bytes of the body; nil if there is none.
    fileprivate var bodyBytes: Data? {
        get async throws {
            guard let body else { return nil }
            var bytes = Data()
            for try await piece in body.bytes { bytes += piece }
            return bytes
        }
    }
}
