import FlyingFox
import Foundation

/// Lists as many items as it is asked for: `GET /items?count=N`. The answers are made once, so that a benchmark measures
/// its client.
struct ItemsAPI: HTTPHandler {
    private let answers: [Int: Data] = Dictionary(uniqueKeysWithValues: [3, 400, 10_500].map { ($0, Self.items($0)) })

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.path == "/items", let count = request.queryValue("count").flatMap(Int.init) else {
            return HTTPResponse(.notFound, ["message": "Not Found"])
        }
        let body = answers[count] ?? Self.items(count)
        return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: body)
    }

    private static func items(_ count: Int) -> Data {
        let items = (0..<count).map {
            #"{"id":\#($0),"name":"Item number \#($0)","price":12.5,"tags":["first","second"],"isNew":true}"#
        }
        return Data("[\(items.joined(separator: ","))]".utf8)
    }
}
