// Lists the tools of an MCP server and calls one, with its progress. Ctrl-C cancels the call on the server.
//
//     swift run --package-path Examples mcp-client
//     swift run --package-path Examples mcp-client --tool add '{"a": 1, "b": 2}'
//     swift run --package-path Examples mcp-client --tool forecast '{"city": "Oslo", "days": 5}'
//     swift run --package-path Examples mcp-client --verbose
//     swift run --package-path Examples mcp-client --url https://example.com/mcp --tool search '{"query": "swift"}'
//
// Without --url, it uses a server of its own. If a server needs a token, the browser opens.

import APIKit
import APIKitOAuth
import ArgumentParser
import EmbeddedServer
import ExampleSupport

@main
struct MCPClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp-client",
        abstract: "Lists the tools of an MCP server, or calls one."
    )

    @Option(help: "The URL of the server's MCP endpoint.")
    var url: String?

    @Option(help: "The tool to call.")
    var tool: String?

    @Argument(help: "The tool's input, a JSON object.")
    var input = "{}"

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        if let url {
            // Nothing is asked of the user unless the server refuses a request without a token.
            let account = OAuth(
                resource: url, clients: [.dynamic(name: "APIKit example")],
                flow: .authorizationCode(present: .browser), client: session)
            return try await use(session.based(at: APIBase(url)).authorized(by: account, for: .mcp))
        }
        try await EmbeddedServer.run(.mcp) { server in
            try await use(session.based(at: APIBase(server.appending(path: "mcp"))))
        }
    }

    private func use(_ client: any APIClient) async throws {
        do {
            let tools = try await tools(of: client)
            guard let name = tool else {
                for tool in tools { print("\(tool.name): \(tool.description ?? "")") }
                return
            }
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw ValidationError("the server has no tool \(name)")
            }
            try await call(tool, on: client)
        } catch APIError<MCPFailure>.rejected(let failure?, let response) {
            printError("the server failed: \(failure.message) (\(failure.code), status \(response.head.status))")
            if failure.code == MCPFailure.unsupportedVersion {
                printError("it supports the versions \(failure.supportedVersions.joined(separator: ", "))")
            }
            throw ExitCode.failure
        }
    }

    /// All tools of the server. Those with invalid definitions are reported, and left out.
    private func tools(of client: any APIClient) async throws -> [Tool] {
        var tools: [Tool] = []
        for try await page in client.retrying().pages(of: ListTools()) {
            tools += page.model.tools
            for tool in page.model.rejected { printError("not used: \(tool.name): \(tool.mirrored.problem ?? "")") }
        }
        return tools
    }

    /// Calls a tool, and prints its progress and its result.
    private func call(_ tool: Tool, on client: any APIClient) async throws {
        guard let input = try? JSON<JSONValue>.process(data: Data(input.utf8)).object else {
            throw ValidationError("the input is not a JSON object: \(input)")
        }
        for try await message in try await client.send(CallTool(tool: tool, input: input)) {
            switch message {
            case .progress(let progress):
                let total = progress.total.map { " of \($0.formatted())" } ?? ""
                print("\(progress.progress.formatted())\(total): \(progress.message ?? "")")
            case .notification(let method):
                print("(\(method))")
            case .result(let result):
                let hasFailed = result.isError == true
                for content in result.content {
                    let text = content.text ?? "(\(content.type))"
                    hasFailed ? printError(text) : print(text)
                }
                if hasFailed { throw ExitCode.failure }
            }
        }
    }
}
