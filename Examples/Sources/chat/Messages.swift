import APIKit

/// A chat in Anthropic's dialect: each event has a type, and one of them ends the stream.
struct MessageRequest: JSONRequest {
    typealias Response = JSONEvents<MessageEvent>
    typealias Failure = ChatFailure
    let key, prompt: String
    var base: APIBase { "https://api.anthropic.com/v1" }
    var path: URLPath { "messages" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["X-Api-Key": key, "Anthropic-Version": "2023-06-01"] }
    var parameters: Parameters {
        [
            "model": "claude-3-5-haiku-latest", "max_tokens": 1024, "stream": true,
            "messages": [["role": "user", "content": prompt]],
            "tools": .list([.object(["name": "weather", "input_schema": schema])]),
        ]
    }
    var options: RequestOptions { RequestOptions(deadline: .seconds(300), isIdempotent: true) }
}

enum MessageEvent: EventModel {
    case delta(BlockDelta)
    struct BlockDelta: Decodable { let delta: Delta }
    struct Delta: Decodable { let text: String?, partialJson: String? }

    static let rules = EventRules<MessageEvent>(
        ["content_block_delta": .decoded(decoder: JSONReader(keys: .convertFromSnakeCase), delta)],
        end: .type("message_stop"), failure: .type("error"), longestGap: .seconds(60))
}
