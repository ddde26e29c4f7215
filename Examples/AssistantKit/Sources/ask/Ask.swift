// Lists models, asks one a question, and prints the answer as it comes. Ctrl-C ends it.
//
//     swift run --package-path Examples/AssistantKit ask
//     swift run --package-path Examples/AssistantKit ask fail      (a failure in the middle of the answer)
//
// It uses a server of its own.

import AssistantKit
import Dispatch
import EmbeddedServer
import Foundation

@main
struct Ask {
    static func main() async {
        let question = CommandLine.arguments.dropFirst().first ?? "What is the weather in Zürich?"
        let task = Task { try await EmbeddedServer.run(.chat) { server in try await ask(question, at: server) } }

        // Ctrl-C cancels the task, which ends what is in flight; a second one ends the program.
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { @Sendable in
            task.cancel()
            signal(SIGINT, SIG_DFL)
        }
        interrupt.resume()

        do {
            try await task.value
        } catch {
            let isCancelled = (error as? AssistantError)?.isCancellation ?? (error is CancellationError)
            let message = isCancelled ? "cancelled" : error.localizedDescription
            show("\n")
            FileHandle.standardError.write(Data("\(message)\n".utf8))
            exit(isCancelled ? 130 : 1)
        }
    }

    static func ask(_ question: String, at server: URL) async throws {
        let assistant = Assistant(keys: ["revoked", "demo"], at: server.appending(path: "v1"))
        for try await model in assistant.models { show("model \(model.id)\n") }
        for try await text in try await assistant.answer(to: question) { show(text) }
        let batch = try await assistant.submit([question, "And tomorrow?"])
        show("\nbatch of \(batch.count)\n")
    }

    /// Writes at once what `print` would keep until the end of the line.
    static func show(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}
