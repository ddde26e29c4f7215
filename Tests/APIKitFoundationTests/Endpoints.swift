import APIKit
import APIKitTestServer
import Testing

/// An endpoint of a test's server, with everything open.
struct Probe<Response: APIResponse>: APIRequest {
    typealias Failure = ServerError
    var base: APIBase
    var path: URLPath = "probe"
    var method = HTTPMethod.get
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var options = RequestOptions()
}

/// An endpoint that takes a body.
struct Upload: APIRequest {
    typealias Response = NoContent
    typealias Failure = ServerError
    var base: APIBase
    var body: RequestBody?
    var path: URLPath { "first" }
    var method: HTTPMethod { .put }
}

struct ServerError: JSONResponse, Error, Equatable { let message: String }

struct Item: JSONResponse, Equatable { let id: Int }

extension APIClient {
    /// The error that a `send` throws; the test fails if it throws nothing.
    func failure<R: APIRequest>(
        of request: R, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> APIError<R.Failure.Model> {
        try #require(
            await #expect(throws: APIError<R.Failure.Model>.self, sourceLocation: sourceLocation) {
                try await send(request)
            }, sourceLocation: sourceLocation)
    }
}
