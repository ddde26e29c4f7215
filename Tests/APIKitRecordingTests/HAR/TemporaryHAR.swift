import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore
@testable import APIKitRecording

/// A HAR in a folder of its own, which is removed with this.
struct TemporaryHAR: Sendable {
    let folder: TemporaryFolder
    let file: HARFile

    var url: URL { file.url }

    init(_ text: String? = nil, secretNames: Set<String> = [], harmlessNames: Set<String> = []) throws {
        folder = try TemporaryFolder()
        file = HARFile(folder.place("test.har"), secretNames: secretNames, harmlessNames: harmlessNames)
        if let text { try folder.write(text, to: "test.har") }
    }

    /// A HAR with some entries, each a JSON text.
    init(entries first: String, _ others: String...) throws {
        let entries = ([first] + others).joined(separator: ",")
        try self.init(#"{"log": {"version": "1.2", "entries": [\#(entries)]}}"#)
    }

    var text: String { get throws { try folder.text("test.har") } }

    /// The entries, as another reader sees them.
    var entries: [[String: Any]] {
        get throws {
            let json = Data(try text.drop { $0 == "\u{FEFF}" }.utf8)
            let har = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            return try #require(har["log", "entries"] as? [[String: Any]])
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

    func client(inOrder: Bool = false) throws -> ReplayClient {
        try ReplayClient(file, inOrder: inOrder)
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
