// Asks a model about the weather, and prints its answer and the tool call in it as they come. Ctrl-C cancels.
//
//     swift run --package-path Examples chat
//     swift run --package-path Examples chat --dialect anthropic "What is the weather in Oslo?"
//     swift run --package-path Examples chat fail             (a failure in the middle of the answer)
//     swift run --package-path Examples chat --curl           (the line for curl, with secrets masked)
//     OPENAI_API_KEY=… swift run --package-path Examples chat --live
//
// Without --live, it uses a server of its own.

import APIKit
import ArgumentParser
import Dispatch
import EmbeddedServer
import ExampleSupport

@main
struct Chat: AsyncParsableCommand {
    enum Dialect: String, ExpressibleByArgument { case openai, anthropic }

    @Argument var prompt = "What is the weather in Zürich?"
    @Option var dialect = Dialect.openai
    @Flag(help: "Use the real API, with a key from OPENAI_API_KEY or ANTHROPIC_API_KEY.") var live = false
    @Flag(help: "Print the line for curl instead.") var curl = false

    func run() async throws {
        let key = ProcessInfo.processInfo.environment[dialect == .openai ? "OPENAI_API_KEY" : "ANTHROPIC_API_KEY"]
        if live { return try await ask(key ?? "", on: URLSession.api.retrying()) }
        try await EmbeddedServer.run(.chat) { server in
            try await ask("demo", on: URLSession.api.based(at: APIBase(server.appending(path: "v1"))).retrying())
        }
    }

    private func ask(_ key: String, on client: some APIClient) async throws {
        switch dialect {
        case .openai:
            try await show(CompletionRequest(key: key, prompt: prompt), on: client) { chunk, answer in
                let delta = chunk.choices.first?.delta
                answer.append(delta?.content, delta?.toolCalls?.first?.function.arguments)
            }
        case .anthropic:
            try await show(MessageRequest(key: key, prompt: prompt), on: client) { event, answer in
                if case .delta(let block) = event { answer.append(block.delta.text, block.delta.partialJson) }
            }
        }
    }

    /// Shows the answer until it ends or Ctrl-C is pressed.
    private func show<Request: APIRequest, Value>(
        _ request: Request, on client: some APIClient, _ read: @escaping @Sendable (Value, inout Answer) -> Void
    ) async throws where Request.Response == JSONEvents<Value>, Request.Failure == ChatFailure {
        if curl { return print(try request.httpRequest().curlCommand) }
        let answer = Task {
            var answer = Answer()
            for try await value in try await client.send(request) { read(value, &answer) }
            try answer.end()
        }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { answer.cancel() }
        interrupt.resume()
        do {
            try await answer.value
        } catch APIError<ChatFailure>.rejected(let failure?, let response) {
            print()
            printError("the model failed: \(failure.error.message) (\(response.head.status))")
            throw ExitCode.failure
        } catch  where answer.isCancelled {
            print()
            printError("cancelled")
            throw ExitCode.failure
        }
    }
}

/// An answer as it comes.
struct Answer {
    private var arguments = PartialJSON()

    mutating func append(_ text: String?, _ json: String?) {
        FileHandle.standardOutput.write(Data((text ?? "").utf8))
        arguments.append(json ?? "")
        guard json != nil, let city = try? arguments.decodeSoFar([String: String].self)?["city"] else { return }
        print("\nlooking up \"\(city)\" …", terminator: "")
    }

    func end() throws {
        print()
        if !arguments.text.isEmpty { print("weather in", try arguments.decode([String: String].self)["city"] ?? "?") }
    }
}
