import APIKit

struct NestRequest: EdgesRequest {
    typealias Response = Nest
    var path: URLPath { "nests" }
}
