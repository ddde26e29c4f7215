import APIKit
import Testing

/// The server of the tests: httpbin, which `Scripts/interop` starts and whose address it sets.
enum HTTPBin {
    static let address = ProcessInfo.processInfo.environment["APIKIT_HTTPBIN_URL"]
    static var url: URL { URL(string: address ?? "http://127.0.0.1")! }  // the script's own, or a literal
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite if the server is available.
    static var httpbin: Self { .enabled(if: HTTPBin.address != nil, "run by Scripts/interop") }
}

/// An endpoint of httpbin.
protocol HTTPBinRequest: APIRequest {}

extension HTTPBinRequest { var base: APIBase { APIBase(HTTPBin.url) } }

/// Requests a path, by default as bytes.
struct Get<Response: APIResponse>: HTTPBinRequest {
    let path: URLPath
    let parameters: Parameters
    let headers: HTTPHeaders

    init(
        _ path: URLPath, as response: Response.Type = Data.self, parameters: Parameters = [:],
        headers: HTTPHeaders = [:]
    ) { (self.path, self.parameters, self.headers) = (path, parameters, headers) }
}

/// Requests an echo of the request.
struct Anything: HTTPBinRequest {
    typealias Response = Echo
    var method: HTTPMethod = .get
    var path: URLPath { "anything" }
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
}

/// Requests an echo of the parameters as JSON.
struct AnythingInJSON: HTTPBinRequest, JSONRequest {
    typealias Response = Echo
    var method: HTTPMethod = .post
    var path: URLPath { "anything" }
    var parameters: Parameters = [:]
}

/// Requests an echo of the body.
struct AnythingInBody: HTTPBinRequest {
    typealias Response = Echo
    var method: HTTPMethod = .post
    var path: URLPath { "anything" }
    var body: RequestBody?
}

/// The error that a request fails with.
func failure<R: APIRequest>(
    of request: R, over client: some APIClient = URLSession.api
) async throws -> APIError<R.Failure.Model> {
    try #require(await #expect(throws: APIError<R.Failure.Model>.self) { try await client.send(request) })
}
