// Prints events as the server sends them. If the connection is lost, the loop continues with the next event.
//
//     swift run --package-path Examples events
//     swift run --package-path Examples events --count 20 --every 500 --cut 10
//     swift run --package-path Examples events --verbose                     (shows the second connection)
//
// It listens to a server of its own.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport

struct TicksRequest: APIRequest {
    var count: Int
    var every: Int?
    var cut: Int?

    typealias Response = ServerSentEvents
    var base: APIBase { "https://files.example.com" }  // a valid literal
    var path: URLPath { "events" }
    var parameters: Parameters { ["count": count, "every": every, "cut": cut] }
}

nonisolated struct Tick: Decodable {
    let number: Int
    let text: String
}

@main
struct Events: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events",
        abstract: "Prints events as the server sends them."
    )

    @Option(help: "The number of events.")
    var count = 5

    @Option(help: "The milliseconds between two events.")
    var every = 50

    @Option(help: "The event after which the connection is lost; 0 to keep it.")
    var cut = 2

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes a number above 0.") }
    }

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        try await EmbeddedServer.run(.files) { server in
            let client = session.based(at: APIBase(server))
            let request = TicksRequest(count: count, every: every, cut: cut > 0 ? cut : nil)
            // The loop ends by itself: after the last event, the server responds with status 204 to a new connection.
            for try await tick in client.events(for: request).decoded(as: Tick.self) {
                print("\(tick.number): \(tick.text)")
            }
        }
    }
}
