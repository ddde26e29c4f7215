import APIKit

struct CreateBlockRequest: KindsRequest {
    typealias Response = NoContent
    var block: Block

    var method: HTTPMethod { .post }
    var path: URLPath { "blocks" }
    var body: RequestBody? { .json(block) }
}
