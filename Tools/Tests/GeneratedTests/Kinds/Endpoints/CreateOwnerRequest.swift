import APIKit

struct CreateOwnerRequest: KindsRequest, JSONRequest {
    typealias Response = NoContent
    var name: String
    var favorite: Pet?
    var shape: Shape?

    var method: HTTPMethod { .post }
    var path: URLPath { "owners" }
    var parameters: Parameters { ["name": name, "favorite": favorite, "shape": shape] }
}
