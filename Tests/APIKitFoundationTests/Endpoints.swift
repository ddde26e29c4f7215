import APIKit
import APIKitTestServer

/// An endpoint of a test's server, with everything open.
struct Probe<Response: APIResponse>: APIRequest {
    typealias Failure = ServerError
    var baseURL: URL
    var path: URLPath = "probe"
    var method = HTTPMethod.get
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]
    var options = RequestOptions()
}

struct ServerError: JSONAPIResponse, Error, Equatable {
    let message: String
}

struct Item: JSONAPIResponse, Equatable {
    let id: Int
}
