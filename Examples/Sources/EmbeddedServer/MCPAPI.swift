import FlyingFox
import Foundation

/// A server of the Model Context Protocol, revision 2026-07-28, with three tools on two pages.
struct MCPAPI: HTTPHandler {
    private static let version = "2026-07-28"

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.path == "/mcp" else { return HTTPResponse(statusCode: .notFound) }
        guard request.method == .POST else { return HTTPResponse(statusCode: .methodNotAllowed) }
        guard let call = try? JSONDecoder().decode(Call.self, from: try await request.bodyData) else {
            return refusal(.badRequest, nil, -32602, "invalid request")
        }
        if let refusal = refusal(of: call, in: request) { return refusal }
        switch call.method {
        case "tools/list": return list(call)
        case "tools/call": return run(call)
        default: return refusal(.notFound, call.id, -32601, "no such method: \(call.method)")
        }
    }

    // MARK: - Tools

    private func list(_ call: Call) -> HTTPResponse {
        switch call.params.cursor {
        case nil: result(call, ["tools": [MCPTool.add, MCPTool.broken], "nextCursor": ""])
        case "": result(call, ["tools": [MCPTool.forecast]])
        default: refusal(.badRequest, call.id, -32602, "no such cursor")
        }
    }

    private func run(_ call: Call) -> HTTPResponse {
        let arguments = call.params.arguments ?? [:]
        switch call.params.name {
        case "add":
            guard let first = arguments["a"]?.number, let second = arguments["b"]?.number else {
                return result(call, content("add needs the numbers a and b", isError: true))
            }
            return result(call, content(String(format: "%g", first + second)))
        case "forecast":
            guard let city = arguments["city"]?.text else {
                return result(call, content("forecast needs a city", isError: true))
            }
            return forecast(call, city: city, days: min(max(Int(arguments["days"]?.number ?? 3), 1), 14))
        default:
            return refusal(.badRequest, call.id, -32602, "no such tool: \(call.params.name ?? "")")
        }
    }

    /// One notification for each day, and then the result.
    private func forecast(_ call: Call, city: String, days: Int) -> HTTPResponse {
        var messages: [JSON] = []
        if let token = call.params._meta.progressToken {
            messages = (1...days).map { day in
                let progress: JSON = [
                    "progressToken": .string(token), "progress": .integer(day), "total": .integer(days),
                    "message": "day \(day)",
                ]
                return ["jsonrpc": "2.0", "method": "notifications/progress", "params": progress]
            }
        }
        messages.append(message(call, content("\(days) dry days in \(city)")))
        let events = messages.map { "event: message\ndata: \($0)\n\n" }
        return HTTPResponse(
            statusCode: .ok, headers: [.contentType: "text/event-stream"],
            body: HTTPBodySequence(from: TimedPieces(pieces: events, interval: .milliseconds(30))))
    }

    // MARK: - Requests

    /// The response to a request whose version or headers are wrong; nil for any other.
    private func refusal(of call: Call, in request: HTTPRequest) -> HTTPResponse? {
        let accepted = request.headers[HTTPHeader("Accept")] ?? ""
        guard accepted.contains("application/json"), accepted.contains("text/event-stream") else {
            return refusal(.notAcceptable, call.id, -32600, "the client must accept JSON and event streams")
        }
        let city = call.params.name == "forecast" ? call.params.arguments?["city"]?.text : nil
        let expected = [
            ("MCP-Protocol-Version", call.params._meta.version), ("Mcp-Method", call.method),
            ("Mcp-Name", call.params.name), ("Mcp-Param-City", city),
        ]
        for (name, value) in expected where decoded(request.headers[HTTPHeader(name)]) != value {
            return refusal(.badRequest, call.id, -32020, "the header \(name) does not match the body")
        }
        guard call.params._meta.version == Self.version else {
            let supported: JSON = ["supported": [.string(Self.version)]]
            return refusal(.badRequest, call.id, -32022, "unsupported version", data: supported)
        }
        return nil
    }

    /// The value of a header, whose Base64 is between two marks.
    private func decoded(_ header: String?) -> String? {
        guard let header, header.hasPrefix("=?base64?"), header.hasSuffix("?=") else { return header }
        return Data(base64Encoded: String(header.dropFirst(9).dropLast(2))).map { String(decoding: $0, as: UTF8.self) }
    }

    private struct Call: Decodable {
        let id: String
        let method: String
        let params: Params

        struct Params: Decodable {
            let cursor: String?
            let name: String?
            let arguments: [String: Argument]?
            let _meta: Meta
        }

        struct Meta: Decodable {
            let version: String
            let progressToken: String?
            let capabilities: [String: Argument]

            private enum CodingKeys: String, CodingKey {
                case version = "io.modelcontextprotocol/protocolVersion"
                case progressToken
                case capabilities = "io.modelcontextprotocol/clientCapabilities"
            }
        }
    }

    /// An argument of a tool, of which these tools need only text and numbers.
    private struct Argument: Decodable {
        let text: String?
        let number: Double?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try? value.decode(String.self)
            number = try? value.decode(Double.self)
        }
    }

    // MARK: - Responses

    private func content(_ text: String, isError: Bool = false) -> JSON {
        ["content": [["type": "text", "text": .string(text)]], "isError": .bool(isError)]
    }

    private func message(_ call: Call, _ result: JSON) -> JSON {
        var members: [(name: String, value: JSON)] = [("resultType", "complete")]
        if case .object(let own) = result { members += own }
        return ["jsonrpc": "2.0", "id": .string(call.id), "result": .object(members)]
    }

    private func result(_ call: Call, _ result: JSON) -> HTTPResponse {
        HTTPResponse(.ok, message(call, result))
    }

    private func refusal(
        _ status: HTTPStatusCode, _ id: String?, _ code: Int, _ message: String, data: JSON = nil
    ) -> HTTPResponse {
        let error: JSON = ["code": .integer(code), "message": .string(message), "data": data]
        return HTTPResponse(status, ["jsonrpc": "2.0", "id": .optional(id), "error": error])
    }
}

/// The definitions of the tools.
private enum MCPTool {
    static let add: JSON = [
        "name": "add", "description": "Adds two numbers.",
        "inputSchema": [
            "type": "object", "required": ["a", "b"],
            "properties": ["a": ["type": "number"], "b": ["type": "number"]],
        ],
    ]

    static let forecast: JSON = [
        "name": "forecast", "description": "Forecasts the weather of a city, with progress.",
        "inputSchema": [
            "type": "object", "required": ["city"],
            "properties": ["city": ["type": "string", "x-mcp-header": "City"], "days": ["type": "integer"]],
        ],
    ]

    /// A number must not be sent as a header, so that clients must reject this tool.
    static let broken: JSON = [
        "name": "broken", "description": "Cannot be called.",
        "inputSchema": ["type": "object", "properties": ["speed": ["type": "number", "x-mcp-header": "Speed"]]],
    ]
}
