// Posts a photo and its caption. The same call sends a plain form or, once a file is among the parameters, multipart.
//
//     swift run --package-path Examples upload-photo                       (a made-up photo)
//     swift run --package-path Examples upload-photo --file beach.jpg --caption "At the beach"
//     swift run --package-path Examples upload-photo --no-photo            (the caption alone)
//
// It posts to a server of its own and prints what the server has received.

import APIKit
import ArgumentParser
import EmbeddedServer
import ExampleSupport

struct PhotoRequest: APIRequest {
    var caption: String
    var photo: FilePart?

    typealias Response = Receipt
    var base: APIBase { "https://photos.example.com" }  // a valid literal
    var method: HTTPMethod { .post }
    var path: URLPath { "photos" }
    var parameters: Parameters { ["caption": caption, "public": true, "photo": photo] }
}

struct Receipt: JSONResponse {
    let contentType: String
    let fields: [Field]
    let files: [File]

    struct Field: Decodable {
        let name: String
        let value: String
    }

    struct File: Decodable {
        let name: String
        let filename: String
        let contentType: String
        let size: Int
    }
}

@main
struct UploadPhoto: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload-photo",
        abstract: "Posts a photo and its caption."
    )

    @Option(help: "The photo's file; by default, a made-up one.")
    var file: String?

    @Option(help: "The photo's caption.")
    var caption = "A photo, \"quoted\" & more"

    @Flag(inversion: .prefixedNo, help: "Whether to send a photo, or its caption alone.")
    var photo = true

    @Flag(help: "Print requests and responses, with secrets masked.")
    var verbose = false

    func run() async throws {
        let request = PhotoRequest(caption: caption, photo: photo ? photoPart : nil)
        let session: any APIClient = verbose ? Verbose(URLSession.api) : URLSession.api
        try await EmbeddedServer.run(.photos) { server in
            show(try await session.based(at: APIBase(server)).send(request))
        }
    }

    /// A file is read as it is sent, whatever its size; a missing one is an error of `send`, before anything is sent.
    private var photoPart: FilePart {
        guard let file else { return FilePart(Data(repeating: 0xFF, count: 100_000), filename: "made-up.jpg") }
        return FilePart(URL(fileURLWithPath: file))
    }

    private func show(_ receipt: Receipt) {
        print("received as \(receipt.contentType)")
        for field in receipt.fields {
            print("  \(field.name): \(field.value)")
        }
        for file in receipt.files {
            print("  \(file.name): \(file.filename), \(file.contentType), \(file.size) bytes")
        }
    }
}
