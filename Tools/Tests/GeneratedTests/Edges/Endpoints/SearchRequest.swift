import APIKit

struct SearchRequest: EdgesRequest {
    typealias Response = NoContent
    var method: HTTPMethod { .post }
    var path: URLPath { "searches" }
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}
