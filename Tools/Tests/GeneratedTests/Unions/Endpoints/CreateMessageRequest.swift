import APIKit

struct CreateMessageRequest: UnionsRequest, JSONRequest {
    typealias Response = NoContent
    var kind: Message = .message
    var text: String?

    var method: HTTPMethod { .post }
    var path: URLPath { "messages" }
    var parameters: Parameters { ["kind": kind, "text": text] }
}
