import APIKit

struct ShapesRequest: KindsRequest {
    typealias Response = [Shape]
    var path: URLPath { "shapes" }
}
