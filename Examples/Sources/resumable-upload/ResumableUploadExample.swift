// Uploads a file with a progress bar. After Ctrl-C, or `kill -9`, the same command continues the upload.
//
//     swift run --package-path Examples resumable-upload film.mp4
//     swift run --package-path Examples resumable-upload film.mp4 --slow      (with time to press Ctrl-C)
//     swift run --package-path Examples resumable-upload film.mp4 --to https://tus.example.com/files
//     swift run --package-path Examples resumable-upload film.mp4 --abandon   (the server forgets what it has)
//     swift run --package-path Examples resumable-upload --list               (uploads that have not ended)
//
// Without --to, it uploads to a server of its own, which keeps what it has received for the next start.

import APIKit
import APIKitUploads
import ArgumentParser
import EmbeddedServer
import ExampleSupport

/// A file for a server that speaks tus.
struct FileUpload: ResumableUpload {
    typealias Response = UploadedFile
    var file: URL
    var base: APIBase
    var path: URLPath { "" }
    var uploadProtocol: UploadProtocol {
        .tus(metadata: ["filename": file.lastPathComponent, "filetype": fileType.rawValue])
    }
    // What a break costs at most.
    var chunkSize: Int { 4 << 20 }
}

@main
struct ResumableUploadExample: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resumable-upload",
        abstract: "Uploads a file, and continues after an interruption."
    )

    @Argument(help: "The file.")
    var file: String?

    @Option(help: ArgumentHelp("Where a server creates uploads; by default, one in this program.", valueName: "url"))
    var to: String?

    @Option(help: "The folder of the state, and of what the server in this program has received.")
    var folder = FileManager.default.temporaryDirectory.appending(path: "resumable-upload").path

    @Option(help: "The port of the server in this program, which must be the same at each start.")
    var port: UInt16 = 8737

    @Flag(help: "Let the server in this program read slowly.")
    var slow = false

    @Flag(help: "Give the upload up.")
    var abandon = false

    @Flag(help: "List the uploads that have not ended.")
    var list = false

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    // A program that is not an example keeps its state where the system deletes nothing, such as in
    // `URL.applicationSupportDirectory`.
    private var state: URL { URL(fileURLWithPath: folder).appending(path: "state") }

    func validate() throws {
        guard list || file != nil else { throw ValidationError("Name a file, or use --list.") }
        if let to, URL(string: to)?.host == nil { throw ValidationError("--to takes a URL; not \(to).") }
    }

    func run() async throws {
        guard let file, !list else {
            for upload in try PendingUpload.all(in: state) { print(describe(upload)) }
            return
        }
        if let to {
            return try await upload(URL(fileURLWithPath: file), to: APIBase(to))
        }
        let received = URL(fileURLWithPath: folder).appending(path: "received")
        try await EmbeddedServer.run(.uploads(in: received, isSlow: slow), port: port) { server in
            try await upload(URL(fileURLWithPath: file), to: APIBase(server.appending(path: "files")))
        }
    }

    private func upload(_ file: URL, to base: APIBase) async throws {
        let client: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        let request = FileUpload(file: file, base: base)
        if abandon {
            try await client.abandonUpload(request, keptIn: state)
            return print("given up: \(file.lastPathComponent)")
        }
        let pending = try PendingUpload.all(in: state).first { $0.file.path == file.resolvingSymlinksInPath().path }
        if let pending { print("continues: \(describe(pending))") }
        let name = file.lastPathComponent
        let bar = ProgressBar()
        defer { bar.end(name) }
        let uploaded = try await client.upload(request, keepingStateIn: state) {
            bar.show(name, $0.bytesSent, of: $0.totalBytes)
        }
        bar.end(name, printing: "\(name): uploaded to \(uploaded.url)")
    }

    private func describe(_ upload: PendingUpload) -> String {
        "\(upload.file.lastPathComponent), at least \(upload.bytesReceived) of \(upload.totalBytes) bytes are there"
    }
}
