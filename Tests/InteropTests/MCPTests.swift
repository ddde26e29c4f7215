import APIKit
import APIKitOAuth
import APIKitTesting
import Testing

// MCP.swift in this folder is the file of the example mcp-client.

/// What the specification of 2026-07-28 requires of clients for `tools/list` and `tools/call`.
@Suite struct MCPTests {
    /// Reads a definition of a tool, whose properties are the given JSON.
    private func tool(_ name: String = "tool", properties: String = "{}") throws -> Tool {
        let schema = #"{"type": "object", "properties": \#(properties)}"#
        return try page(of: #"{"name": "\#(name)", "inputSchema": \#(schema)}"#).tools[0]
    }

    private func page(of definition: String) throws -> ToolPage {
        try JSON<ToolPage>.process(data: Data(#"{"tools": [\#(definition)]}"#.utf8))
    }

    private func body(of request: some APIRequest) throws -> JSONValue {
        try JSONValue.process(data: try #require(try request.httpRequest().body?.data))
    }

    // MARK: - Requests

    @Test func requestsStateVersionAndMethodInHeadersAndBody() throws {
        let request = try ListTools().httpRequest()
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://mcp.example.com/mcp")
        #expect(request.headers["MCP-Protocol-Version"] == "2026-07-28")
        #expect(request.headers["Mcp-Method"] == "tools/list")
        #expect(request.headers["Mcp-Name"] == nil)
        #expect(request.headers[.accept] == "application/json, text/event-stream")

        let body = try body(of: ListTools())
        #expect(body["jsonrpc"] == "2.0")
        #expect(body["method"] == "tools/list")
        #expect(body["params"]?["cursor"] == nil)
        let meta = body["params"]?["_meta"]
        #expect(meta?["io.modelcontextprotocol/protocolVersion"] == "2026-07-28")
        #expect(meta?["io.modelcontextprotocol/clientInfo"]?["name"]?.string != nil)
        #expect(meta?["io.modelcontextprotocol/clientCapabilities"] == [:])
    }

    @Test func callsStateTheToolAndItsInput() throws {
        let call = CallTool(tool: try tool("my-tool"), input: ["a": 1, "b": [2.5, .null]])
        let request = try call.httpRequest()
        #expect(request.headers["Mcp-Method"] == "tools/call")
        #expect(request.headers["Mcp-Name"] == "my-tool")
        let body = try body(of: call)
        #expect(body["params"]?["name"] == "my-tool")
        #expect(body["params"]?["arguments"] == ["a": 1, "b": [2.5, .null]])
        #expect(body["params"]?["_meta"]?["progressToken"] == body["id"])
        #expect(try self.body(of: CallTool(tool: call.tool, input: [:]))["id"] != body["id"])
    }

    /// The examples of the specification, and those of its conformance tests.
    @Test(
        arguments: [
            ("us-west1", "us-west1"), ("", ""), ("us west 1", "us west 1"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="), (" padded ", "=?base64?IHBhZGRlZCA=?="),
            ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("us-west1 ", "=?base64?dXMtd2VzdDEg?="), ("line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="),
            ("\tindented", "=?base64?CWluZGVudGVk?="),
        ] as [(String, String)])
    func valuesInHeadersAreEncoded(value: String, header: String) throws {
        let marked = try tool(properties: #"{"value": {"type": "string", "x-mcp-header": "Method"}}"#)
        let request = try CallTool(tool: marked, input: ["value": .string(value)]).httpRequest()
        #expect(request.headers["Mcp-Param-Method"] == header)
        #expect(request.headers["Mcp-Method"] == "tools/call")
    }

    @Test func nameOfToolIsEncodedToo() throws {
        let request = try CallTool(tool: try tool("Wetter für Zürich"), input: [:]).httpRequest()
        #expect(request.headers["Mcp-Name"] == "=?base64?V2V0dGVyIGbDvHIgWsO8cmljaA==?=")
    }

    @Test func onlyMarkedArgumentsWithValuesAreMirrored() throws {
        let properties = """
            {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"},
             "priority": {"type": "integer", "x-mcp-header": "Priority"},
             "verbose": {"type": "boolean", "x-mcp-header": "Verbose"},
             "debug": {"type": "boolean", "x-mcp-header": "Debug"},
             "place": {"type": "object", "properties": {"city": {"type": "string", "x-mcp-header": "City"}}}}
            """
        let input: JSONValue.Object = [
            "query": "SELECT 1", "priority": 42.0, "verbose": .null, "debug": false, "place": ["city": "Oslo"],
        ]
        let request = try CallTool(tool: try tool(properties: properties), input: input).httpRequest()
        let mirrored = request.headers.filter { $0.name.rawValue.hasPrefix("Mcp-Param-") }
        #expect(
            Set(mirrored.map { "\($0.name): \($0.value)" }) == [
                "Mcp-Param-Priority: 42", "Mcp-Param-Debug: false", "Mcp-Param-City: Oslo",
            ])
    }

    // MARK: - Definitions of tools

    @Test(arguments: [
        #"{"value": {"type": "string", "x-mcp-header": ""}}"#,
        #"{"value": {"type": "string", "x-mcp-header": "My Region"}}"#,
        #"{"value": {"type": "string", "x-mcp-header": "Region:Primary"}}"#,
        #"{"value": {"type": "string", "x-mcp-header": "Région"}}"#,
        #"{"value": {"type": "string", "x-mcp-header": "Region\t1"}}"#,
        #"{"value": {"type": "string", "x-mcp-header": 7}}"#,
        #"{"data": {"type": "object", "x-mcp-header": "Data"}}"#,
        #"{"items": {"type": "array", "items": {"type": "string"}, "x-mcp-header": "Items"}}"#,
        #"{"nil": {"type": "null", "x-mcp-header": "Nil"}}"#,
        #"{"speed": {"type": "number", "x-mcp-header": "Speed"}}"#,
        #"{"untyped": {"x-mcp-header": "Untyped"}}"#,
        #"{"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "A"}}"#,
        #"{"a": {"type": "string", "x-mcp-header": "Ab"}, "b": {"type": "string", "x-mcp-header": "aB"}}"#,
        #"{"list": {"type": "array", "items": {"type": "string", "x-mcp-header": "Item"}}}"#,
        #"{"list": {"items": {"properties": {"a": {"type": "string", "x-mcp-header": "Item"}}}}}"#,
        #"{"either": {"anyOf": [{"type": "string", "x-mcp-header": "Either"}]}}"#,
    ])
    func invalidDefinitionsAreRejected(properties: String) throws {
        let definition = #"{"name": "bad", "inputSchema": {"type": "object", "properties": \#(properties)}}"#
        let page = try page(of: #"\#(definition), {"name": "good", "inputSchema": {"type": "object"}}"#)
        #expect(page.tools.map(\.name) == ["good"])
        #expect(page.rejected.map(\.name) == ["bad"])
        #expect(page.rejected.first?.mirrored.problem != nil)
    }

    @Test func valuesInSchemasAreNotMarks() throws {
        let properties = """
            {"a": {"type": "object", "default": {"x-mcp-header": 1}}, "x-mcp-header": {"type": "string"}}
            """
        #expect(try tool(properties: properties).mirrored.arguments.isEmpty)
    }

    @Test func emptyCursorLeadsToPage() async throws {
        let stub = StubClient().answering(
            ListTools.self,
            once: .json(#"{"result": {"tools": [{"name": "a", "inputSchema": {}}], "nextCursor": ""}}"#),
            .json(#"{"result": {"tools": [{"name": "b", "inputSchema": {}}]}}"#))
        var names: [String] = []
        for try await tool in stub.items(of: ListTools(), in: \.tools) { names.append(tool.name) }
        #expect(names == ["a", "b"])
        #expect(stub.requests(of: ListTools.self).map(\.cursor) == [nil, ""])
    }

    // MARK: - Responses

    private static let result = #"{"id": "1", "result": {"resultType": "complete", "content": []}}"#
    private static let progress = #"{"method": "notifications/progress", "params": {"progress": 1, "total": 2}}"#
    private static let failure = #"{"id": "1", "error": {"code": -32602, "message": "no such tool"}}"#

    private func events(_ data: String...) -> HTTPResponse {
        let text = data.map { "event: message\ndata: \($0)\n\n" }.joined()
        return .status(200, headers: [.contentType: "text/event-stream"], body: Data(": ping\n\n\(text)".utf8))
    }

    private func messages(_ response: HTTPResponse) async throws -> [String] {
        let call = CallTool(tool: try tool(), input: [:])
        var kinds: [String] = []
        for try await message in try await StubClient(response).send(call) {
            switch message {
            case .progress: kinds.append("progress")
            case .notification(let method): kinds.append(method)
            case .result: kinds.append("result")
            }
        }
        return kinds
    }

    @Test func readsJSONAndEventStreams() async throws {
        #expect(try await messages(.json(Self.result)) == ["result"])
        let other = #"{"method": "notifications/message", "params": {}}"#
        let stream = events(Self.progress, other, Self.result, Self.progress)
        #expect(try await messages(stream) == ["progress", "notifications/message", "result"])
    }

    @Test func listsAreReadFromEventStreams() async throws {
        let list = #"{"id": "1", "result": {"tools": []}}"#
        #expect(try await StubClient(events(Self.progress, list)).send(ListTools()).tools.isEmpty)
    }

    @Test func errorsAreFailuresUnderAnyStatus() async throws {
        for response in [.json(Self.failure), .json(Self.failure, status: 400), events(Self.progress, Self.failure)] {
            let error = await #expect(throws: APIError<MCPFailure>.self) { try await messages(response) }
            guard case .rejected(let failure?, _) = error else {
                Issue.record("\(String(describing: error)) is not a failure")
                continue
            }
            #expect(failure.code == -32602)
            #expect(failure.message == "no such tool")
        }
    }

    @Test func unsupportedVersionNamesSupportedOnes() throws {
        let text = #"{"error": {"code": -32022, "message": "", "data": {"supported": ["2027-01-01"]}}}"#
        #expect(try MCPFailure.process(data: Data(text.utf8)).supportedVersions == ["2027-01-01"])
    }

    @Test func streamWithoutResultIsBroken() async throws {
        let response = events(Self.progress)
        let error = await #expect(throws: APIError<MCPFailure>.self) { try await messages(response) }
        #expect(error?.transportCode == .connectionLost)
    }

    @Test func unknownTypeOfResultIsUnreadable() async throws {
        let unknown = #"{"id": "1", "result": {"resultType": "input_required", "requestState": "x", "content": []}}"#
        for response in [.json(unknown), events(unknown)] {
            let error = await #expect(throws: APIError<MCPFailure>.self) { try await messages(response) }
            guard case .unreadable = error else {
                Issue.record("\(String(describing: error)) is not unreadable")
                continue
            }
        }
    }
}

private let serverAddress = ProcessInfo.processInfo.environment["APIKIT_MCP"]

/// The address of a server that needs tokens, and issues them. It grants every request.
private let issuer = ProcessInfo.processInfo.environment["APIKIT_OAUTH_MCP"]

/// The same endpoints with the server of the Python package `mcp`, which `Scripts/interop` starts.
@Suite(.enabled(if: serverAddress != nil, "run by Scripts/interop"), .timeLimit(.minutes(10)))
struct MCPServerTests {
    private var client: some APIClient { URLSession.api.based(at: APIBase(serverAddress ?? "")) }

    private func tool(_ name: String) async throws -> Tool {
        let tools = try await client.send(ListTools()).tools
        return try #require(tools.first { $0.name == name })
    }

    @Test func responseInJSON() async throws {
        let result = try await client.send(
            CallTool(tool: try await tool("add"), input: ["first": 2, "second": 40])
        ).result()
        #expect(result.structuredContent?["result"] == 42)
        #expect(result.isError == false)
    }

    @Test func responseInEvents() async throws {
        var progress: [Double] = []
        for try await message in try await client.send(CallTool(tool: try await tool("count"), input: ["to": 3])) {
            switch message {
            case .progress(let report): progress.append(report.progress)
            case .notification(let method): Issue.record("unexpected \(method)")
            case .result(let result): #expect(result.content.first?.text == "counted to 3")
            }
        }
        #expect(progress == [1, 2, 3])
    }

    @Test func failureOfToolIsResult() async throws {
        let result = try await client.send(CallTool(tool: try await tool("fail"), input: [:])).result()
        #expect(result.isError == true)
    }

    @Test func unknownCursorIsRefusedOrIgnored() async throws {
        do {
            _ = try await client.send(ListTools(cursor: "none"))
        } catch .rejected(let failure, let response) {
            #expect(failure?.code == -32602)
            #expect(response.head.status == 400)
        }
    }

    /// From the URL alone: the server's refusal leads to the metadata, the registration, the sign-in and the call.
    @Test(.enabled(if: issuer != nil)) func signsInToServerThatNeedsTokens() async throws {
        let url = "\(issuer ?? "")/mcp"
        let account = OAuth(
            resource: url, clients: [.dynamic(name: "Interop")],
            flow: .authorizationCode(present: .loopback { page in try await URLSession.api.send(Page(url: page)) }))
        let client = URLSession.api.based(at: APIBase(url)).authorized(by: account, for: .mcp)
        let tool = try #require(try await client.send(ListTools()).tools.first { $0.name == "add" })
        let result = try await client.send(CallTool(tool: tool, input: ["first": 1, "second": 2])).result()
        #expect(result.structuredContent?["result"] == 3)
    }

    /// A page that a browser opens.
    private struct Page: APIRequest {
        let url: URL

        typealias Response = NoContent
        var base: APIBase { APIBase(url) }
        var path: URLPath { "" }
    }
}
