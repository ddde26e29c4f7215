import APIKit

/// A chat in OpenAI's dialect: each event is a chunk, and `[DONE]` ends the stream.
struct CompletionRequest: JSONRequest {
    typealias Response = JSONEvents<Chunk>
    typealias Failure = ChatFailure
    let key, prompt: String
    var base: APIBase { "https://api.openai.com/v1" }
    var path: URLPath { "chat/completions" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { [.authorization: "Bearer \(key)"] }
    var parameters: Parameters {
        [
            "model": "gpt-4o-mini", "stream": true, "messages": [["role": "user", "content": prompt]],
            "tools": .list([
                .object(["type": "function", "function": .object(["name": "weather", "parameters": schema])])
            ]),
        ]
    }
    var options: RequestOptions { RequestOptions(deadline: .seconds(300), isIdempotent: true) }
}

struct Chunk: Decodable, EventModel {
    let choices: [Choice]
    struct Choice: Decodable { let delta: Delta }
    struct Delta: Decodable { let content: String?, toolCalls: [Call]? }
    struct Call: Decodable { let function: Function }
    struct Function: Decodable { let arguments: String? }

    static let rules = EventRules<Chunk>(
        end: .data("[DONE]"), failure: .member("error"), decoder: JSONReader(keys: .convertFromSnakeCase))
}

/// What the one tool takes that the model may call.
let schema: Parameters.Node = .object(["type": "object", "properties": .object(["city": .object(["type": "string"])])])

/// What both dialects report, instead of an answer and in the middle of one.
struct ChatFailure: JSONResponse {
    let error: Cause
    struct Cause: Decodable { let message: String }
}
