import APIKit

struct CreateFilterRequest: EdgesRequest {
    typealias Response = NoContent
    var name: String?
    var high: Int?
    var low: Int?

    var method: HTTPMethod { .post }
    var path: URLPath { "filters" }
    var parameters: Parameters { ["name": name, "high": high, "low": low] }
}
