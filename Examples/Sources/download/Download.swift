// Downloads a file of any size with a progress bar; an interrupted download can be resumed.
//
//     swift run --package-path Examples download                             (to a folder that is removed at the end)
//     swift run --package-path Examples download --output map.bin
//     swift run --package-path Examples download --name other.bin            (which the server does not have)
//     swift run --package-path Examples download --resume --output map.bin   (continues map.bin.part, if it exists)
//     swift run --package-path Examples download --resume --stop-after 3000000
//
// It downloads from a server of its own.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport

@main
struct Download: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads a file."
    )

    @Option(help: "The file's name on the server.")
    var name = "map.bin"

    @Option(help: "The destination; by default, a folder that is removed at the end.")
    var output: String?

    @Flag(help: "Resume an interrupted download to the same destination.")
    var resume = false

    @Option(help: "With --resume: lose every connection after this many bytes.")
    var stopAfter: Int?

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    func validate() throws {
        if let stopAfter, stopAfter < 1 || !resume {
            throw ValidationError("--stop-after takes a number of bytes, and goes with --resume.")
        }
    }

    func run() async throws {
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        try await TemporaryFolder.run { folder in
            let destination = output.map { URL(fileURLWithPath: $0) } ?? folder.appendingPathComponent("download")
            try await EmbeddedServer.run(.files) { server in
                try await run(to: destination, on: session.based(at: APIBase(server)))
            }
        }
    }

    private func run(to destination: URL, on client: any APIClient) async throws {
        do {
            let file = try await resume ? resumed(to: destination, on: client) : downloaded(to: destination, on: client)
            if output == nil {
                print("\(file.size) bytes; with --output, the file is kept")
            } else {
                print("\(file.url.path): \(file.size) bytes")
            }
        } catch FilesFailure.rejected(let error?, let response) {
            throw Refusal(description: "The server says: \(error.message) (\(response.head.status))")
        }
    }

    /// Downloads to a temporary file first, so that the destination is replaced atomically and by a complete file.
    private func downloaded(to destination: URL, on client: any APIClient) async throws -> DownloadedFile {
        let bar = ProgressBar()
        defer { bar.end(name) }
        let showing = TransferProgress.Handler.anywhere { [name] in
            bar.show(name, $0.bytesReceived, of: $0.totalBytesToReceive)
        }
        return try await client.send(FileRequest(name: name), progress: showing).move(to: destination)
    }

    /// Retries if the connection is lost, each time for the remaining bytes.
    private func resumed(to destination: URL, on reliable: any APIClient) async throws -> DownloadedFile {
        let client: any APIClient = stopAfter.map { Unreliable(base: reliable, limit: $0) } ?? reliable
        let request = ResumableFileRequest(name: name, download: ResumableDownload(to: destination))
        for _ in 1..<10 {
            do {
                return try await attempt(request, on: client)
            } catch FilesFailure.transport(let error) where error.code == .connectionLost {
                printError("\(error)")
            }
        }
        return try await attempt(request, on: client)
    }

    private func attempt(_ request: ResumableFileRequest, on client: any APIClient) async throws -> DownloadedFile {
        let start = request.download.resumeOffset
        if start > 0 { print("continued at \(start)") }
        let bar = ProgressBar()
        defer { bar.end(request.name) }
        // The progress includes the bytes of earlier attempts.
        let showing = TransferProgress.Handler.anywhere {
            bar.show(request.name, $0.bytesReceived, of: $0.totalBytesToReceive)
        }
        return try await client.send(request, progress: showing)
    }
}

/// What the server has refused, as a user reads it, on the standard error.
private struct Refusal: Error, CustomStringConvertible {
    let description: String
}
