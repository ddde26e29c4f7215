import APIKit

// The tools of an MCP server (Model Context Protocol, revision 2026-07-28) over its Streamable HTTP transport. The
// protocol has no sessions: each request is a POST of its own that says which version, client and capabilities it is
// for. The server answers with JSON, or with an event stream whose last event is the result; every response type here
// reads both. (`nonisolated` is for modules isolated to the main actor, as new app projects are; elsewhere it changes
// nothing.)
//
// The endpoints have a placeholder as their base: `client.based(at: APIBase(url))` says where the server is.

/// A request to an MCP server.
nonisolated protocol MCPRequest: JSONRequest {
    associatedtype Failure = MCPFailure
    /// The method of JSON-RPC, such as `tools/list`.
    var rpcMethod: String { get }
    /// The id of the request. Two requests that are in flight at the same time must not share one, so create a new
    /// value for each call.
    var id: UUID { get }
    /// The members of `params`, without `_meta`.
    var arguments: Parameters { get }
    /// The headers that repeat some of these, such as `Mcp-Name`, so that a proxy need not read the body.
    var mirroredHeaders: HTTPHeaders { get }
    /// The token under which the server reports progress; nil if it should not.
    var progressToken: String? { get }
}

nonisolated extension MCPRequest {
    var base: APIBase { .mcp }
    var path: URLPath { "" }
    var method: HTTPMethod { .post }
    var mirroredHeaders: HTTPHeaders { [:] }
    var progressToken: String? { nil }

    var headers: HTTPHeaders {
        var headers = mirroredHeaders
        headers.addMissing(from: ["Mcp-Method": rpcMethod, "MCP-Protocol-Version": mcpVersion])
        return headers
    }

    var parameters: Parameters {
        let meta: Parameters = [
            "io.modelcontextprotocol/protocolVersion": mcpVersion,
            "io.modelcontextprotocol/clientInfo": .object(["name": "apikit-example", "version": "1.0"]),
            "io.modelcontextprotocol/clientCapabilities": .object([:]),
            "progressToken": progressToken,
        ]
        return [
            "jsonrpc": "2.0", "id": id.uuidString, "method": rpcMethod,
            "params": .object(arguments + ["_meta": .object(meta)]),
        ]
    }
}

nonisolated extension APIBase {
    static let mcp = APIBase("https://mcp.example.com/mcp")  // a valid literal
}

/// The version of the protocol, which a header and the body of each request must state alike.
nonisolated let mcpVersion = "2026-07-28"

// MARK: - Endpoints

/// Lists the tools of a server, a page at a time.
struct ListTools: MCPRequest, PagedRequest {
    var cursor: String?
    let id = UUID()

    typealias Response = MCPResult<ToolPage>
    var rpcMethod: String { "tools/list" }
    var arguments: Parameters { ["cursor": cursor] }
    var options: RequestOptions { RequestOptions(isIdempotent: true) }

    func next(after reply: APIReply<ToolPage>) -> ListTools? {
        // Any cursor leads to a page, even an empty one.
        reply.model.nextCursor.map { ListTools(cursor: $0) }
    }
}

/// Calls a tool. The response is a stream of messages, the last of which is the result.
struct CallTool: MCPRequest {
    var tool: Tool
    var input: JSONValue.Object
    let id = UUID()

    typealias Response = JSONOrEvents<MCPMessage<ToolResult>>
    var rpcMethod: String { "tools/call" }
    var arguments: Parameters { ["name": tool.name, "arguments": JSONValue.object(input)] }
    var progressToken: String? { id.uuidString }
    var options: RequestOptions { RequestOptions(deadline: .seconds(300)) }

    var mirroredHeaders: HTTPHeaders {
        var headers: HTTPHeaders = ["Mcp-Name": headerValue(of: tool.name)]
        for argument in tool.mirrored.arguments {
            headers.append(argument.value(in: input).map(headerValue), for: argument.header)
        }
        return headers
    }

    /// A text as the value of a header: unchanged if it is printable ASCII without spaces at its ends, otherwise in
    /// Base64 between two marks.
    private func headerValue(of text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        let hasSpaceAtEnd = text.hasPrefix(" ") || text.hasSuffix(" ")
        let looksEncoded = text.hasPrefix("=?base64?") && text.hasSuffix("?=")
        if isPlain && !hasSpaceAtEnd && !looksEncoded { return text }
        return "=?base64?\(Data(text.utf8).base64EncodedString())?="
    }
}

// MARK: - Responses

/// The result of a request, from either kind of response. Progress and other notifications are skipped.
nonisolated enum MCPResult<Result: Decodable & Sendable>: APIResponse {
    typealias Model = Result

    static var delivery: ResponseBody.Delivery { .stream }
    static var acceptedTypes: [MIMEType] { [.json, .eventStream] }

    static func process(response: HTTPResponse) async throws -> Result {
        try await JSONOrEvents<MCPMessage<Result>>.process(response: response).result()
    }
}

/// A message of a response: the result, or a notification before it.
nonisolated enum MCPMessage<Result: Decodable & Sendable>: Decodable, EventModel {
    case progress(Progress)
    /// Another notification, by its method.
    case notification(String)
    case result(Result)

    struct Progress: Decodable, Sendable {
        /// How much is done; it grows with each message.
        let progress: Double
        let total: Double?
        let message: String?
    }

    /// An event with a result ends the stream, and one with an error is the endpoint's failure. A stream that ends
    /// without either has broken.
    static var rules: EventRules<Self> {
        EventRules(["message": .decoded { $0 }], end: .member("result"), failure: .member("error"))
    }

    init(from decoder: any Decoder) throws {
        let message = try decoder.container(keyedBy: Member.self)
        if message.contains(.result) {
            try Self.checkType(of: message)
            self = .result(try message.decode(Result.self, forKey: .result))
            return
        }
        let method = try message.decode(String.self, forKey: .method)
        if method == "notifications/progress" {
            self = .progress(try message.decode(Progress.self, forKey: .params))
        } else {
            self = .notification(method)
        }
    }

    /// Throws if the result is not a complete one: a client must not use what it does not know.
    private static func checkType(of message: KeyedDecodingContainer<Member>) throws {
        let result = try message.nestedContainer(keyedBy: Member.self, forKey: .result)
        let type = try result.decodeIfPresent(String.self, forKey: .resultType)
        guard let type, type != "complete" else { return }
        throw DecodingError.dataCorruptedError(
            forKey: .resultType, in: result, debugDescription: "results of the type \(type) are not supported")
    }

    private enum Member: CodingKey { case method, params, result, resultType }
}

nonisolated extension JSONEvents {
    /// Waits for the result, and skips the messages before it.
    func result<Result>() async throws -> Result where Value == MCPMessage<Result> {
        for try await message in self {
            if case .result(let result) = message { return result }
        }
        throw TransportError(.connectionLost, "the response has no result")
    }
}

/// An error of JSON-RPC, under any status.
nonisolated struct MCPFailure: JSONResponse, Error {
    let code: Int
    let message: String
    let data: JSONValue?

    /// The headers do not match the body, for example because the server has changed the definition of a tool: list the
    /// tools again.
    static let headerMismatch = -32020
    /// The server does not support this version of the protocol; ``supportedVersions`` has those that it does.
    static let unsupportedVersion = -32022

    var supportedVersions: [String] { data?["supported"]?.array?.compactMap(\.string) ?? [] }

    init(from decoder: any Decoder) throws {
        let error = try decoder.container(keyedBy: Member.self).nestedContainer(keyedBy: Member.self, forKey: .error)
        code = try error.decode(Int.self, forKey: .code)
        message = try error.decode(String.self, forKey: .message)
        data = try error.decodeIfPresent(JSONValue.self, forKey: .data)
    }

    private enum Member: CodingKey { case error, code, message, data }
}

/// What a tool has returned. It is a result even if the tool has failed, since a model can often correct its input.
nonisolated struct ToolResult: Decodable, Sendable {
    let content: [Content]
    let structuredContent: JSONValue?
    let isError: Bool?

    struct Content: Decodable, Sendable {
        let type: String
        let text: String?
    }
}

// MARK: - Tools

/// A page of a server's tools.
nonisolated struct ToolPage: Decodable, Sendable {
    /// The tools that can be called.
    let tools: [Tool]
    /// The tools whose definitions a client must reject. ``MirroredArguments/problem`` says why.
    let rejected: [Tool]
    /// The cursor of the next page; nil on the last one.
    let nextCursor: String?

    init(from decoder: any Decoder) throws {
        let page = try decoder.container(keyedBy: Member.self)
        let all = try page.decode([Tool].self, forKey: .tools)
        tools = all.filter { $0.mirrored.problem == nil }
        rejected = all.filter { $0.mirrored.problem != nil }
        nextCursor = try page.decodeIfPresent(String.self, forKey: .nextCursor)
    }

    private enum Member: CodingKey { case tools, nextCursor }
}

/// A tool as its server defines it.
nonisolated struct Tool: Decodable, Sendable {
    let name: String
    let description: String?
    /// The JSON Schema of the input.
    let inputSchema: JSONValue
    /// The arguments that are also sent as headers.
    let mirrored: MirroredArguments

    init(from decoder: any Decoder) throws {
        let tool = try decoder.container(keyedBy: Member.self)
        name = try tool.decode(String.self, forKey: .name)
        description = try tool.decodeIfPresent(String.self, forKey: .description)
        inputSchema = try tool.decode(JSONValue.self, forKey: .inputSchema)
        mirrored = MirroredArguments(of: inputSchema)
    }

    private enum Member: CodingKey { case name, description, inputSchema }
}

/// The arguments of a tool that a request repeats in headers, which the tool's schema marks with `x-mcp-header`.
nonisolated struct MirroredArguments: Sendable {
    struct Argument: Sendable {
        let header: HTTPHeaders.Name
        /// The names that lead to the argument, from the outermost object on.
        let path: [String]

        /// The argument as text; nil if the input does not have it, or it is null.
        func value(in input: JSONValue.Object) -> String? {
            let value = path.reduce(JSONValue.object(input)) { value, name in value[name] ?? .null }
            return switch value {
            case .string(let text): text
            case .bool(let value): value ? "true" : "false"
            case .number(let number): number.int.map { "\($0)" } ?? number.description
            case .null, .array, .object: nil
            }
        }
    }

    private(set) var arguments: [Argument] = []
    /// Why the schema is invalid; nil if it is valid.
    private(set) var problem: String?

    init(of schema: JSONValue) {
        add(schema, path: [])
    }

    /// Adds the arguments of a schema and of the schemas in it. The path is where the schema's value is in the input;
    /// nil if that depends on the input.
    private mutating func add(_ schema: JSONValue, path: [String]?) {
        guard let members = schema.object else {
            for element in schema.array ?? [] { add(element, path: nil) }
            return
        }
        for (keyword, value) in members {
            switch keyword {
            case "x-mcp-header":
                add(header: value, type: schema["type"], path: path)
            case "properties":
                for (name, property) in value.object ?? [:] { add(property, path: path.map { $0 + [name] }) }
            case "const", "default", "enum", "examples":
                continue  // These hold values of the input, and not schemas.
            default:
                add(value, path: nil)
            }
        }
    }

    /// Adds one argument, or states why its mark is invalid.
    private mutating func add(header: JSONValue, type: JSONValue?, path: [String]?) {
        guard let path, !path.isEmpty else {
            problem = "x-mcp-header does not belong to a property"
            return
        }
        let place = path.joined(separator: ".")
        guard let name = header.string, isToken(name) else {
            problem = "\(place): x-mcp-header \(header) is not a name of a header"
            return
        }
        guard ["string", "integer", "boolean"].contains(type?.string) else {
            problem = "\(place): only strings, integers and booleans can be sent as headers"
            return
        }
        let argument = Argument(header: HTTPHeaders.Name(rawValue: "Mcp-Param-\(name)"), path: path)
        guard !arguments.contains(where: { $0.header == argument.header }) else {
            problem = "\(place): two arguments have the header \(name)"
            return
        }
        arguments.append(argument)
    }

    /// Whether a text is a token (RFC 9110, section 5.6.2).
    private func isToken(_ text: String) -> Bool {
        let marks = "!#$%&'*+-.^_`|~"
        return !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0)) }
    }
}
