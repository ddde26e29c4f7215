import APIKit

extension APIBase {
    /// The server of the scenarios.
    static let service: APIBase = "http://localhost:3000"
}

/// An endpoint of that server; most of them return nothing.
protocol ServiceRequest: APIRequest {
    associatedtype Response = NoContent
}

extension ServiceRequest {
    var base: APIBase { .service }
}

/// A `GET` that returns nothing. The scenarios that use it are about their paths and parameters.
struct Get: ServiceRequest {
    var path: URLPath
    var parameters: Parameters = [:]
    var headers: HTTPHeaders = [:]

    init(_ path: URLPath, _ parameters: Parameters = [:], headers: HTTPHeaders = [:]) {
        self.path = path
        self.parameters = parameters
        self.headers = headers
    }
}
