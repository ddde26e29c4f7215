import ArgumentParser
import BenchmarkSupport
import Foundation

/// A temporary folder with a file of random bytes, and what is made of it.
struct Folder {
    let url: URL
    let hash: String
    var file: URL { url.appendingPathComponent("big.bin") }
    var place: URL { url.appendingPathComponent("place.bin") }

    init(mebibytes: Int) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("transfer-cost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        _ = try Shell.run("/bin/sh", ["-c", "head -c \(mebibytes << 20) /dev/urandom >'\(url.path)/big.bin'"])
        hash = try Self.hash(of: url.appendingPathComponent("big.bin"))
    }

    func remove() {
        // A folder that is left is no failure.
        try? FileManager.default.removeItem(at: url)
    }

    /// Compares a file, or the one part of a form, with what was sent, and removes it.
    func check(_ copy: URL, _ name: String) throws {
        let start = try FileHandle(forReadingFrom: copy).read(upToCount: 1024) ?? Data()
        let size = try Data(contentsOf: file, options: .alwaysMapped).count
        let isForm = start.starts(with: Data("--apikit-".utf8))
        let offset = isForm ? start.range(of: Data("\r\n\r\n".utf8))?.upperBound ?? 0 : 0
        let part = "tail -c +\(offset + 1) '\(copy.path)' | head -c \(size)"
        guard try Self.hash(of: "\(part) | sha256sum") == hash else { throw ValidationError("\(name): other bytes") }
        try FileManager.default.removeItem(at: copy)
    }

    private static func hash(of file: URL) throws -> String {
        try hash(of: "sha256sum <'\(file.path)'")
    }

    private static func hash(of command: String) throws -> String {
        String(try Shell.run("/bin/sh", ["-c", command]).prefix(64))
    }
}
