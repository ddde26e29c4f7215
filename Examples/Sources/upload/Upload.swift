// Uploads files, two at a time and with progress, and cancels one of them during its upload.
//
//     swift run --package-path Examples upload               (three made-up files; the last is cancelled)
//     swift run --package-path Examples upload --cancel 1
//     swift run --package-path Examples upload --cancel 0 --slow   (with time to watch the progress)
//     swift run --package-path Examples upload film.mp4 beach.jpg
//
// It uploads to a server of its own, which counts the bytes and discards them.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport

@main
struct Upload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Uploads files."
    )

    @Argument(help: "The files; by default, three made-up ones.")
    var files: [String] = []

    @Option(help: "Cancel the file with this number, or 0 for none; by default, the last made-up file.")
    var cancel: Int?

    @Flag(help: "Let the server read slowly.")
    var slow = false

    private static let madeUp: [(name: String, size: UInt64)] = [
        ("a.bin", 2_000_000), ("b.bin", 8_000_000), ("c.bin", 16_000_000),
    ]

    func validate() throws {
        let count = files.isEmpty ? Self.madeUp.count : files.count
        guard let cancel, !(0...count).contains(cancel) else { return }
        throw ValidationError("--cancel takes the number of a file, 1 to \(count), or 0 to cancel none; not \(cancel).")
    }

    func run() async throws {
        try await TemporaryFolder.run { folder in
            let urls = files.isEmpty ? try madeUpFiles(in: folder) : files.map { URL(fileURLWithPath: $0) }
            let cancelled = cancel ?? (files.isEmpty ? urls.count : 0)
            try await EmbeddedServer.run(.files) { server in
                let client = URLSession.api.based(at: APIBase(server))
                try await Uploader(client, isSlow: slow).upload(urls, cancelling: cancelled - 1)
            }
        }
    }

    /// Sparse files, which use no disk space.
    private func madeUpFiles(in folder: URL) throws -> [URL] {
        try Self.madeUp.map { name, size in
            let url = folder.appendingPathComponent(name)
            try Data().write(to: url)
            let file = try FileHandle(forWritingTo: url)
            try file.truncate(atOffset: size)
            try file.close()
            return url
        }
    }
}
