import APIKit
import ArgumentParser
import BenchmarkSupport

/// One way to move a large body, run in a process of its own, so that its memory can be told.
enum Contestant: String, CaseIterable, ExpressibleByArgument {
    case bareDownloadTask = "bare download task"
    case downloadedFile = "send, DownloadedFile"
    case byteStream = "send, ByteStream"
    case dataFor = "bare data(for:)"
    case data = "send, Data"
    case bareUploadTask = "bare upload task"
    case fileBody = "send, .file"
    case multipart = "send, multipart"

    /// What this is compared with.
    var baseline: Contestant {
        switch self {
        case .bareDownloadTask, .downloadedFile, .byteStream: .bareDownloadTask
        case .dataFor, .data: .dataFor
        case .bareUploadTask, .fileBody, .multipart: .bareUploadTask
        }
    }

    var isUpload: Bool { baseline == .bareUploadTask }

    /// Moves the body once and tells what it took. What was downloaded is left at a place.
    func run(server: URL, file: URL, place: URL) async throws -> ProcessCost {
        switch self {
        case .bareDownloadTask:
            return try await measure { try await Bare.download(server, to: place) }
        case .downloadedFile:
            return try await measure {
                try await URLSession.api.send(BigRequest<DownloadedFile>(base: APIBase(server))).move(to: place)
            }
        case .byteStream:
            _ = FileManager.default.createFile(atPath: place.path, contents: nil)
            let output = try FileHandle(forWritingTo: place)
            return try await measure {
                for try await chunk in try await URLSession.api.send(BigRequest<ByteStream>(base: APIBase(server))) {
                    try output.write(contentsOf: chunk)
                }
            }
        case .dataFor:
            let session = URLSession(configuration: .api)
            return try await measure(keeping: place) { try await session.data(for: URLRequest(url: server)).0 }
        case .data:
            return try await measure(keeping: place) {
                try await URLSession.api.send(BigRequest<Data>(base: APIBase(server)))
            }
        case .bareUploadTask:
            return try await measure { try await Bare.upload(file, to: server) }
        case .fileBody:
            return try await measure {
                _ = try await URLSession.api.send(UploadRequest(base: APIBase(server), body: .file(file)))
            }
        case .multipart:
            var form = MultipartForm()
            form.append(FilePart(file, filename: "big.bin"), for: "file")
            let request = UploadRequest(base: APIBase(server), body: .multipart(form))
            return try await measure { _ = try await URLSession.api.send(request) }
        }
    }

    private func measure(_ transfer: () async throws -> Void) async throws -> ProcessCost {
        let start = Cost.now
        try await transfer()
        return try ProcessCost(Cost.now - start)
    }

    /// The same of a body in memory, which is written to its place once it has been measured.
    private func measure(keeping place: URL, _ transfer: () async throws -> Data) async throws -> ProcessCost {
        var data = Data()
        let measurement = try await measure { data = try await transfer() }
        try data.write(to: place)
        return measurement
    }
}

struct BigRequest<Response: APIResponse>: APIRequest {
    var base: APIBase
    var path: URLPath { "" }
    var options: RequestOptions { RequestOptions(sizeLimit: .max) }
}

struct UploadRequest: APIRequest {
    typealias Response = NoContent
    var base: APIBase
    var body: RequestBody?
    var path: URLPath { "" }
    var method: HTTPMethod { .put }
}

/// What one would write without this package.
enum Bare {
    static func download(_ url: URL, to place: URL) async throws {
        let session = URLSession(configuration: .api)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.downloadTask(with: url) { file, _, error in
                continuation.resume(
                    with: Result {
                        guard let file else { throw error ?? URLError(.unknown) }
                        try FileManager.default.moveItem(at: file, to: place)
                    })
            }
            .resume()
        }
    }

    static func upload(_ file: URL, to url: URL) async throws {
        let session = URLSession(configuration: .api)
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            session.uploadTask(with: request, fromFile: file) { _, _, error in
                continuation.resume(with: error.map(Result.failure) ?? .success(()))
            }
            .resume()
        }
    }
}
