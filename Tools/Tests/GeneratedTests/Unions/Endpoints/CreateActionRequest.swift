import APIKit

struct CreateActionRequest: UnionsRequest {
    typealias Response = Action
    var action: Action

    var method: HTTPMethod { .post }
    var path: URLPath { "actions" }
    var body: RequestBody? { .json(action) }
}
