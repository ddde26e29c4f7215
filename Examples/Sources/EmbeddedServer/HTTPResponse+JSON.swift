import FlyingFox
import Foundation

extension HTTPResponse {
    /// A response whose body is JSON.
    init(_ statusCode: HTTPStatusCode, _ json: JSON, headers: HTTPHeaders = [:]) {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        self.init(statusCode: statusCode, headers: headers, body: Data(json.description.utf8))
    }
}
