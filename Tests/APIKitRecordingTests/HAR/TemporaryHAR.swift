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

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A HAR with some entries, each a JSON text.
    convenience init(entries first: String, _ others: String...) throws {
        let entries = ([first] + others).joined(separator: ",")
        try self.init(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#)
    }

    var text: String { get throws { String(decoding: try Data(contentsOf: url), as: UTF8.self) } }

    /// The entries, as another reader sees them.
    var entries: [[String: Any]] {
        get throws {
            let json = Data(try text.drop { $0 == "\u{FEFF}" }.utf8)
            let har = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let log = try #require(har["log"] as? [String: Any])
            return try #require(log["entries"] as? [[String: Any]])
        }
    }

    /// The text of the response in the first entry.
    var recordedText: String? { get throws { try entries.first?["response", "content", "text"] as? String } }

    /// The response to one request that is recorded.
    @discardableResult
    func record(
        _ request: HTTPRequest = HTTPRequest("https://api.example.com/x"), answer: HTTPResponse = .status(204)
    ) async throws -> HTTPResponse {
        try await StubClient(answer).recording(to: file).perform(request)
    }

    func client(matching: ReplayClient.Matching = .lenient) throws -> ReplayClient {
        try ReplayClient(file, matching: matching)
    }

    func replay(_ request: HTTPRequest = HTTPRequest("https://api.example.com/x")) async throws -> HTTPResponse {
        try await client().perform(request)
    }
}

extension [String: Any] {
    /// The names and values of a list, such as `request`, `headers`.
    func fields(_ path: String...) -> [(name: String, value: String)] {
        let list = path.reduce(Optional(self as Any)) { ($0 as? [String: Any])?[$1] } as? [[String: String]]
        return list?.map { ($0["name"] ?? "", $0["value"] ?? "") } ?? []
    }

    subscript(path: String...) -> Any? {
        path.dropLast().reduce(Optional(self)) { $0?[$1] as? [String: Any] }?[path.last ?? ""]
    }
}

/// Bytes in the given pieces, followed by the end or an error.
struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
    var chunks: [Data]
    var failure: (any Error)?

    init(_ texts: String..., failure: (any Error)? = nil) {
        (chunks, self.failure) = (texts.map { Data($0.utf8) }, failure)
    }

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async throws -> Data? {
        if !chunks.isEmpty { return chunks.removeFirst() }
        if let failure { throw failure }
        return nil
    }
}
