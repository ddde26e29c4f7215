import APIKit

extension APIBase {
    static let assistant = APIBase("https://api.assistant.example/v1")
}

protocol AssistantRequest: APIRequest { associatedtype Failure = Trouble }
extension AssistantRequest { var base: APIBase { .assistant } }

struct ModelsRequest: AssistantRequest, PagedRequest {
    typealias Response = JSON<ModelList>
    var after: String?
    var path: URLPath { "models" }
    var parameters: Parameters { ["after": after] }
    func next(after reply: APIReply<ModelList>) -> Self? { next(setting: \.after, to: reply.model.next) }
}

struct ModelList: Decodable {
    let data: [Models.Model]
    let next: String?
}

struct CompletionRequest: AssistantRequest, JSONRequest {
    typealias Response = JSONEvents<Chunk>
    let question: String
    var method: HTTPMethod { .post }
    var path: URLPath { "chat/completions" }
    var parameters: Parameters { ["stream": true, "messages": [["role": "user", "content": question]]] }
    var options: RequestOptions { RequestOptions(isIdempotent: true) }
}

struct Chunk: Decodable, EventModel {
    struct Choice: Decodable { let delta: Delta }
    struct Delta: Decodable { let content: String? }

    let choices: [Choice]

    static let rules = EventRules<Chunk>(end: .data("[DONE]"), failure: .member("error"))
}

struct BatchRequest: AssistantRequest, JSONRequest {
    typealias Response = Checked<Batch>
    let questions: [String]
    let key: UUID
    var method: HTTPMethod { .post }
    var path: URLPath { "batches" }
    var headers: HTTPHeaders { [.idempotencyKey: key.uuidString] }
    var parameters: Parameters { ["questions": questions] }
}

/// JSON that may be a failure, whatever the status.
enum Checked<Content: Decodable & Sendable>: APIResponse {
    typealias Model = Content

    static func process(data: Data) throws -> Content {
        if let trouble = try? Trouble.process(data: data) { throw trouble }
        return try JSON<Content>.process(data: data)
    }
}

/// A failure in each shape that the API has: `{"error": {"message": …, "code": …}}`, `{"error": "…"}`, and from its
/// gateway `{"detail": "…"}`.
struct Trouble: JSONResponse, Error {
    let message: String
    let code: String?

    private enum Key: CodingKey { case error, detail, message, code }

    init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: Key.self)
        if let error = try? body.nestedContainer(keyedBy: Key.self, forKey: .error) {
            message = try error.decode(String.self, forKey: .message)
            code = try error.decodeIfPresent(String.self, forKey: .code)
        } else {
            message = try body.decode(
                String.self, forKey: body.contains(.error) ? .error : .detail)
            code = nil
        }
    }
}
