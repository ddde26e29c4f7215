import FlyingFox

/// Adds what an API needs to be a correct server: it reads request bodies to their end and answers `HEAD`.
struct BufferingHandler: HTTPHandler {
    let base: any HTTPHandler

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        // A large body that no one has read would be taken for the connection's next request.
        request.setBodyData(try await request.bodyData)
        guard request.method == .HEAD else { return try await base.handleRequest(request) }

        request.method = .GET
        let response = try await base.handleRequest(request)
        // Without a length FlyingFox would say that it is 0, and the body of a stream of events need not end.
        guard case .httpBody(let body) = response.payload, let count = body.count else {
            return HTTPResponse(statusCode: .methodNotAllowed, headers: HTTPHeaders([HTTPHeader("Allow"): "GET"]))
        }
        var headers = response.headers
        headers[.contentLength] = String(count)
        return HTTPResponse(statusCode: response.statusCode, headers: headers)
    }
}
