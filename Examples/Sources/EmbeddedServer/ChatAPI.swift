import FlyingFox
import Foundation

/// Streams one answer and one tool call, in two dialects. The prompt `fail` gets a failure in the middle.
struct ChatAPI: HTTPHandler {
    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.path == "/v1/models" || request.path == "/v1/batches" { return try await listOrBatch(request) }
        let body = try JSONDecoder().decode(Body.self, from: try await request.bodyData)
        let isTyped = request.path == "/v1/messages"
        guard request.method == .POST, isTyped || request.path == "/v1/chat/completions" else {
            return HTTPResponse(.notFound, ["error": ["message": "no such resource"]])
        }
        let isAllowed = isTyped ? HTTPHeader("X-Api-Key") : .authorization
        guard request.headers[isAllowed]?.hasSuffix("demo") == true else {
            return HTTPResponse(.unauthorized, ["error": ["message": "this server accepts the key demo"]])
        }
        let fails = body.messages.last?.content == "fail"
        let city = body.messages.last?.content.split(separator: " ").last?.filter(\.isLetter) ?? ""
        let texts: [JSON] = fails ? ["Let me"] : ["Let me ", "look ", "that up."]
        let arguments: [JSON] = fails ? [] : [#"{"ci"#, #"ty": ""#, .string(city), "\"}"]
        let events = isTyped ? typed(texts, arguments, fails) : untyped(texts, arguments, fails)
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/event-stream"],
            body: HTTPBodySequence(from: TimedPieces(pieces: events, interval: .milliseconds(30))))
    }

    /// Two pages of models, or a batch, whose failure is under a 200.
    private func listOrBatch(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.headers[.authorization] == "Bearer demo" else {
            return HTTPResponse(.unauthorized, ["error": "this server accepts the key demo"])
        }
        if request.method == .GET {
            let next: JSON = ["data": [["id": "large"]]]
            guard request.queryValue("after") == nil else { return HTTPResponse(.ok, next) }
            return HTTPResponse(.ok, ["data": [["id": "small"]], "next": "small"])
        }
        let questions = try JSONDecoder().decode([String: [String]].self, from: try await request.bodyData)["questions"]
        guard let count = questions?.count, count > 0 else { return HTTPResponse(.ok, ["error": "no questions"]) }
        return HTTPResponse(.ok, ["id": "batch-1", "count": .integer(count)])
    }

    private struct Body: Decodable {
        struct Message: Decodable { let content: String }

        let messages: [Message]
    }

    private func untyped(_ texts: [JSON], _ arguments: [JSON], _ fails: Bool) -> [String] {
        let deltas: [JSON] =
            texts.map { ["content": $0] }
            + arguments.map { ["tool_calls": [["index": 0, "function": ["arguments": $0]]]] }
        let chunks: [JSON] = deltas.map { ["choices": [["index": 0, "delta": $0]]] }
        let last = fails ? #"{"error":{"message":"overloaded"}}"# : "[DONE]"
        return (chunks.map(\.description) + [last]).map { "data: \($0)\n\n" }
    }

    private func typed(_ texts: [JSON], _ arguments: [JSON], _ fails: Bool) -> [String] {
        let deltas: [JSON] =
            texts.map { ["type": "text_delta", "text": $0] }
            + arguments.map { ["type": "input_json_delta", "partial_json": $0] }
        let blocks: [JSON] = deltas.map { ["type": "content_block_delta", "index": 0, "delta": $0] }
        let last: (String, JSON) =
            fails
            ? ("error", ["type": "error", "error": ["message": "overloaded"]])
            : ("message_stop", ["type": "message_stop"])
        let events = [("ping", ["type": "ping"])] + blocks.map { ("content_block_delta", $0) } + [last]
        return events.map { "event: \($0.0)\ndata: \($0.1)\n\n" }
    }
}
