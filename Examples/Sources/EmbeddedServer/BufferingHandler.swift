import FlyingFox

/// Adds what a correct server needs: it reads request bodies completely and responds to `HEAD`.
struct BufferingHandler: HTTPHandler {
    let base: any HTTPHandler

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        // An unread large body would be taken for the connection's next request.
        request.setBodyData(try await request.bodyData)
        guard request.method == .HEAD else { return try await base.handleRequest(request) }

        request.method = .GET
        let response = try await base.handleRequest(request)
        // Without a length FlyingFox would send 0, and a stream of events may never end.
        guard case .httpBody(let body) = response.payload, let count = body.count else {
            return HTTPResponse(statusCode: .methodNotAllowed, headers: HTTPHeaders([HTTPHeader("Allow"): "GET"]))
        }
        var headers = response.headers
        headers[.contentLength] = String(count)
        return HTTPResponse(statusCode: response.statusCode, headers: headers)
    }
}
