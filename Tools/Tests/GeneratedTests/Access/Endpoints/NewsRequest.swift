import APIKit

/// Credentials are optional.
struct NewsRequest: AccessRequest {
    typealias Response = NoContent
    var path: URLPath { "news" }
}
