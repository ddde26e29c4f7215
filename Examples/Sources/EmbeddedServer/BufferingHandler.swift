import FlyingFox

/// Adds what every API here needs to be a correct server: it reads request bodies to their end and answers `HEAD`.
struct BufferingHandler: HTTPHandler {
    let base: any HTTPHandler

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        // A large body that no one has read would be taken for the connection's next request.
        request.setBodyData(try await request.bodyData)
        guard request.method == .HEAD else { return try await base.handleRequest(request) }

        request.method = .GET
        let response = try await base.handleRequest(request)
        var headers = response.headers
        headers[.contentLength] = String(try await response.bodyData.count)
        return HTTPResponse(statusCode: response.statusCode, headers: headers)
    }
}
