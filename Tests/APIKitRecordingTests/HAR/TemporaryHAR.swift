import APIKitTesting
import Foundation
import Testing

@testable import APIKitCore
@testable import APIKitRecording

/// A HAR in a folder of its own, which is removed with this.
final class TemporaryHAR: Sendable {
    let folder: URL
    let file: HARFile

    var url: URL { file.url }

    init(_ text: String? = nil, secretNames: Set<String> = [], harmlessNames: Set<String> = []) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("apikit-har-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("test.har")
        file = HARFile(url, secretNames: secretNames, harmlessNames: harmlessNames)
        if let text { try Data(text.utf8).write(to: url) }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A HAR with some entries, each a JSON text.
    convenience init(entries first: String, _ others: String...) throws {
        let entries = ([first] + others).joined(separator: ",")
        try self.init(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#)
    }

    var text: String {
        get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) }
    }

    /// The entries, as another reader sees them.
    var entries: [[String: Any]] {
        get throws {
            let har = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
            let log = try #require(har["log"] as? [String: Any])
            return try #require(log["entries"] as? [[String: Any]])
        }
    }

    /// The response to one request that is recorded.
    @discardableResult
    func record(_ request: HTTPRequest, answer: HTTPResponse = .status(204)) async throws -> HTTPResponse {
        try await StubClient(answer).recording(to: file).perform(request)
    }

    func client(matching: ReplayClient.Matching = .lenient) throws -> ReplayClient {
        try ReplayClient(file, matching: matching)
    }

    func replay(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await ReplayClient(file).perform(request)
    }
}

extension HTTPRequest {
    init(
        _ url: String, headers: HTTPHeaders = [:], body: RequestBody? = nil, delivery: ResponseBody.Delivery = .data
    ) {
        self.init(.get, url, headers: headers, body: body, delivery: delivery)
    }

    init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: RequestBody? = nil,
        delivery: ResponseBody.Delivery = .data
    ) {
        self.init(method: method, url: URL(string: url)!, headers: headers, body: body, delivery: delivery)
    }
}

extension [String: Any] {
    subscript(path: String...) -> Any? {
        path.dropLast().reduce(Optional(self)) { $0?[$1] as? [String: Any] }?[path.last ?? ""]
    }
}

/// Bytes in the given pieces, followed by the end or an error.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var chunks: [Data]
    var failure: (any Error)?

    init(chunks: [Data], failure: (any Error)? = nil) {
        (self.chunks, self.failure) = (chunks, failure)
    }

    init(_ text: String, failure: (any Error)? = nil) {
        self.init(chunks: [Data(text.utf8)], failure: failure)
    }

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async throws -> Data? {
        if !chunks.isEmpty { return chunks.removeFirst() }
        if let failure { throw failure }
        return nil
    }
}
