import Foundation

/// The folder with the generated files, which belong to the user once they are written.
///
/// A manifest beside them, `.apikit`, holds a digest of each file as it was generated: a file that differs from it has
/// been edited, and is not overwritten.
struct OutputFolder {
    /// What became of a file.
    enum Outcome: Equatable {
        case created, updated, unchanged, removed
        /// It was edited and is kept; the lines show what would change.
        case kept([String])
    }

    private let url: URL
    private var digests: [String: String] = [:]

    /// Opens a folder, which may not exist yet.
    init(_ url: URL) {
        self.url = url
        let text = (try? String(contentsOf: url.appending(path: ".apikit"), encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { digests[String(parts[1])] = String(parts[0]) }
        }
    }

    /// Writes files, also those that were edited if the caller wants that. If the files are all, those that were
    /// generated earlier and have not been edited are removed.
    mutating func write(
        _ files: [SourceFile], removesOthers: Bool, overwritesEdited: Bool
    ) throws -> [(path: String, outcome: Outcome)] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var outcomes: [(String, Outcome)] = []
        // Also if a file cannot be written: the next run must know those that were.
        var isSaved = false
        defer { if !isSaved { try? save() } }
        for file in files {
            outcomes.append((file.path, try write(file, overwritesEdited: overwritesEdited)))
            digests[file.path] = Self.digest(file.text)
        }
        let paths = Set(files.map(\.path))
        for path in digests.keys.sorted() where removesOthers && !paths.contains(path) {
            outcomes.append((path, remove(path)))
            digests[path] = nil
        }
        isSaved = true
        try save()
        return outcomes
    }

    /// Writes the manifest.
    private func save() throws {
        let lines = ["# What `apikit` generated here: it does not overwrite files that have changed since."]
        let manifest = lines + digests.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        try (manifest.joined(separator: "\n") + "\n").write(
            to: url.appending(path: ".apikit"), atomically: true, encoding: .utf8)
    }

    private func write(_ file: SourceFile, overwritesEdited: Bool) throws -> Outcome {
        let target = url.appending(path: file.path)
        let current = try? String(contentsOf: target, encoding: .utf8)
        if current == file.text { return .unchanged }
        let digest = digests[file.path]
        let isEdited = current.map { Self.digest($0) != digest } ?? (digest != nil)
        if isEdited, !overwritesEdited {
            // Nothing new to say unless the description has changed.
            if digest == Self.digest(file.text) { return .unchanged }
            return .kept(Difference.lines(from: current ?? "", to: file.text))
        }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.text.write(to: target, atomically: true, encoding: .utf8)
        return current == nil ? .created : .updated
    }

    private func remove(_ path: String) -> Outcome {
        let target = url.appending(path: path)
        guard let current = try? String(contentsOf: target, encoding: .utf8) else { return .unchanged }
        guard Self.digest(current) == digests[path] else { return .kept(["no longer in the description"]) }
        try? FileManager.default.removeItem(at: target)
        return .removed
    }

    /// FNV-1a in 64 bits, which is enough to notice an edit.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(format: "%016llx", hash)
    }
}

/// The difference of two texts by lines.
enum Difference {
    /// Lines that are removed begin with `-`, those that are added with `+`, with their line numbers.
    static func lines(from old: String, to new: String) -> [String] {
        let old = old.split(separator: "\n", omittingEmptySubsequences: false)
        let new = new.split(separator: "\n", omittingEmptySubsequences: false)
        return new.difference(from: old).map { change in
            switch change {
            case .remove(let offset, let line, _): (offset, 0, "- \(offset + 1): \(line)")
            case .insert(let offset, let line, _): (offset, 1, "+ \(offset + 1): \(line)")
            }
        }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }
}
