import Foundation
import Testing

@testable import APIKitTools

@Suite struct RecordingTests {
    @Test(arguments: Recordings.all.map(\.name))
    func writesNoSecret(_ name: String) throws {
        try withOutput(of: name) { folder, summary in
            let texts = try Self.files(in: folder).map { try String(contentsOf: $0, encoding: .utf8) } + summary.notes
            #expect(texts.count > 2)
            for secret in Recordings.secrets { #expect(texts.allSatisfy { !$0.contains(secret) }, "\(secret)") }
        }
    }

    static func files(in folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return all.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }

    private func withOutput(of name: String, _ check: (URL, Generation.Summary) throws -> Void) throws {
        let har = try #require(Recordings.all.first { $0.name == name }?.har)
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "session.har")
        try Data(har.utf8).write(to: file)
        var generation = Generation(name: name)
        generation.tests = folder.appending(path: "Tests/\(name)Tests")
        let summary = try generation.run(file, into: folder.appending(path: "Sources/\(name)"))
        // `APIKIT_RECORDINGS=/tmp/x` keeps what is generated, to compile and run it.
        if let kept = ProcessInfo.processInfo.environment["APIKIT_RECORDINGS"] {
            for part in ["Sources/\(name)", "Tests/\(name)Tests"] {
                let target = URL(filePath: kept).appending(path: part)
                try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try? FileManager.default.removeItem(at: target)
                try FileManager.default.copyItem(at: folder.appending(path: part), to: target)
            }
        }
        try check(folder, summary)
    }
}
