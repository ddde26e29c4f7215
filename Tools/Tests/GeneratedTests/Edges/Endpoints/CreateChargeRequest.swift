import APIKit

struct CreateChargeRequest: EdgesRequest {
    typealias Response = NoContent
    var method: HTTPMethod { .post }
    var path: URLPath { "charges" }
    var options: RequestOptions { RequestOptions(sendsIdempotencyKey: true, retries: .init(attempts: 5)) }
}
