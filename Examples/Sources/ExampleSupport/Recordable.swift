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
            let file = URL(filePath: replay)
            let server = try Recording(from: file).server
            return try await body(ReplayClient(HARFile(file)).based(at: APIBase(server.appending(path: path))))
        }
        try await EmbeddedServer.run(api) { server in
            let client = session.based(at: APIBase(server.appending(path: path)))
            guard let record else { return try await body(client) }
            try await body(client.recording(to: HARFile(URL(filePath: record))))
        }
    }
}

/// What the file says of the server, which had another port each time.
private struct Recording: Decodable {
    struct Log: Decodable { let entries: [Entry] }
    struct Entry: Decodable { let request: Request }
    struct Request: Decodable { let url: URL }

    let log: Log

    init(from file: URL) throws {
        self = try JSONDecoder().decode(Recording.self, from: Data(contentsOf: file))
    }

    var server: URL {
        get throws {
            guard let url = log.entries.first?.request.url, let server = URL(string: "/", relativeTo: url) else {
                throw ValidationError("the recording has no request")
            }
            return server.absoluteURL
        }
    }
}
