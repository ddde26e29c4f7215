public import APIKit
import APIKitTesting
public import Foundation
public import Testing

/// The body that a request must have.
public enum ExpectedBody: Sendable {
    /// JSON with the same values: the order of members and spaces do not count.
    case json(String)
    /// The bytes of a text.
    case text(String)
    case data(Data)
    /// No body at all.
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
public func expect(
    _ request: some APIRequest, sends method: String, _ target: String, headers: [String: String?] = [:],
    _ body: ExpectedBody = .none, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let sent = try request.httpRequest()
    #expect(sent.method.rawValue == method, sourceLocation: sourceLocation)
    let components = URLComponents(url: sent.url, resolvingAgainstBaseURL: false)
    let query = components?.percentEncodedQuery.map { "?" + $0 } ?? ""
    #expect((components?.percentEncodedPath ?? "") + query == target, sourceLocation: sourceLocation)
    for (name, value) in headers {
        #expect(sent.headers[HTTPHeaders.Name(rawValue: name)] == value, "\(name)", sourceLocation: sourceLocation)
    }
    if case .any = body { return }
    var bytes: Data?
    if let content = sent.body {
        var collected = Data()
        for try await piece in content.bytes { collected += piece }
        bytes = collected
    }
    try expect(bytes, body, sourceLocation)
}

/// Checks the model that an endpoint returns for a response.
///
/// - Parameters:
///   - request: The endpoint.
///   - status: The status of the response.
///   - headers: The headers of the response; the content type is `application/json` unless they name another.
///   - body: The body of the response.
///   - model: The model.
public func expect<Request: APIRequest>(
    _ request: Request, reads body: String, status: Int = 200, headers: HTTPHeaders = [:],
    as model: Request.Response.Model, sourceLocation: SourceLocation = #_sourceLocation
) async throws where Request.Response.Model: Equatable {
    let received = try await reply(request, body, status: status, headers: headers).model
    #expect(received == model, sourceLocation: sourceLocation)
}

/// Sends an endpoint to a stub that returns this response, and returns the reply.
public func reply<Request: APIRequest>(
    _ request: Request, _ body: String, status: Int = 200, headers: HTTPHeaders = [:]
) async throws -> APIReply<Request.Response.Model> {
    var headers = headers
    if headers[.contentType] == nil && !body.isEmpty { headers[.contentType] = "application/json" }
    let response = HTTPResponse.status(status, headers: headers, body: Data(body.utf8))
    let client = StubClient { _ in response }
    return try await client.reply(to: request)
}

private func expect(_ sent: Data?, _ body: ExpectedBody, _ sourceLocation: SourceLocation) throws {
    switch body {
    case .none: #expect(sent == nil, sourceLocation: sourceLocation)
    case .any: break
    case .data(let data): #expect(sent == data, sourceLocation: sourceLocation)
    case .text(let text):
        #expect(sent.map { String(decoding: $0, as: UTF8.self) } == text, sourceLocation: sourceLocation)
    case .json(let text):
        let data = try #require(sent, sourceLocation: sourceLocation)
        let sentValue = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        #expect(
            (sentValue as? NSObject) == (value as? NSObject), "\(String(decoding: data, as: UTF8.self))",
            sourceLocation: sourceLocation)
    }
}
