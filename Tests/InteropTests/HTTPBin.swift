import APIKit
import Testing

/// The server of the tests: httpbin, which `Scripts/interop` starts and whose address it sets.
enum HTTPBin {
    static let address = ProcessInfo.processInfo.environment["APIKIT_HTTPBIN_URL"]
    static var url: URL { URL(string: address ?? "http://127.0.0.1")! }  // the script's own, or a literal

    /// The same server under another host name, and therefore with another origin.
    static var otherOrigin: URL {
        URL(string: url.absoluteString.replacingOccurrences(of: "127.0.0.1", with: "localhost"))!  // as above
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a suite if the server is available.
    static var httpbin: Self {
        .enabled(if: HTTPBin.address != nil, "run by Scripts/interop")
    }
}

/// An endpoint of httpbin.
protocol HTTPBinRequest: APIRequest {}

extension HTTPBinRequest {
    var baseURL: URL { HTTPBin.url }
}

/// Requests a path, by default as bytes.
struct Get<Response: APIResponse>: HTTPBinRequest {
    var path: URLPath
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var options = RequestOptions()

    init(
        _ path: URLPath, as response: Response.Type = Data.self, parameters: Parameters = [:],
        headers: HTTPHeaders = [:], options: RequestOptions = RequestOptions()
    ) {
        self.path = path
        self.parameters = parameters
        self.headers = headers
        self.options = options
    }
}

/// Requests an echo of the request.
struct Anything: HTTPBinRequest {
    typealias Response = Echo
    var method: HTTPMethod = .get
    var path: URLPath = "anything"
    var parameters: Parameters = [:]
    var parameterStyle = ParameterStyle()
    var headers: HTTPHeaders = [:]
}

/// Requests an echo of the parameters as JSON.
struct AnythingInJSON: HTTPBinRequest, JSONAPIRequest {
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
    var options = RequestOptions()
}

/// The error that a request fails with.
func failure<R: APIRequest>(
    of request: R, over client: some APIClient = URLSession.api
) async throws -> APIError<R.Failure.Model> {
    try #require(await #expect(throws: APIError<R.Failure.Model>.self) { try await client.send(request) })
}
