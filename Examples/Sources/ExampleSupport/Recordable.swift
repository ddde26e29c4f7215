public import APIKit
import APIKitRecording
import APIKitTesting
public import ArgumentParser
public import EmbeddedServer

/// The options `--record FILE` and `--replay FILE` of a program that talks to an embedded server.
public struct Recordable: ParsableArguments {
    @Option(help: ArgumentHelp("Record requests and responses to a HAR file, with secrets masked.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Answer from a recorded HAR file instead of a server.", valueName: "file"))
    var replay: String?

    /// Creates the options; the argument parser sets them.
    public init() {}

    /// Runs the body with a client for the API: one that replays, or `session` over a server in this program.
    ///
    /// - Parameters:
    ///   - api: The API that the server imitates.
    ///   - session: The client that reaches the server.
    ///   - path: Where the API is on the server.
    ///   - body: What to do with the client.
    /// - Throws: What the body throws, or the error of a recording that cannot be read.
    public func run(
        _ api: EmbeddedAPI,
        over session: any APIClient,
        path: String = "",
        _ body: (any APIClient) async throws -> Void
    ) async throws {
        if let replay {
            return try await body(ReplayClient(HARFile(URL(filePath: replay))))
        }
        try await EmbeddedServer.run(api) { server in
            let client = session.based(at: APIBase(server.appending(path: path)))
            guard let record else { return try await body(client) }
            try await body(client.recording(to: HARFile(URL(filePath: record))))
        }
    }
}
