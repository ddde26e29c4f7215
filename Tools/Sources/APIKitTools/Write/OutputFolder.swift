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
    /// The digests of the files as they were generated, by path.
    private var digests: [String: String] = [:]

    /// Opens a folder, which may not exist yet.
    init(_ url: URL) {
        self.url = url
        let manifest = (try? String(contentsOf: manifestURL, encoding: .utf8)) ?? ""
        for line in manifest.split(separator: "\n") where !line.hasPrefix("#") {
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
        let outcomes: [(path: String, outcome: Outcome)]
        do {
            outcomes = try update(files, removesOthers: removesOthers, overwritesEdited: overwritesEdited)
        } catch {
            // The next run must know the files that were written.
            try? saveManifest()
            throw error
        }
        try saveManifest()
        return outcomes
    }

    private mutating func update(
        _ files: [SourceFile], removesOthers: Bool, overwritesEdited: Bool
    ) throws -> [(path: String, outcome: Outcome)] {
        var outcomes: [(path: String, outcome: Outcome)] = []
        for file in files {
            let outcome = try write(file, overwritesEdited: overwritesEdited)
            outcomes.append((file.path, outcome))
            digests[file.path] = Self.digest(file.text)
        }
        guard removesOthers else { return outcomes }
        let paths = Set(files.map(\.path))
        for path in digests.keys.sorted() where !paths.contains(path) {
            outcomes.append((path, remove(path)))
            digests[path] = nil
        }
        return outcomes
    }

    private var manifestURL: URL { url.appending(path: ".apikit") }

    private func saveManifest() throws {
        var lines = ["# What `apikit` generated here: it does not overwrite files that have changed since."]
        lines += digests.sorted { $0.key < $1.key }.map { path, digest in "\(digest) \(path)" }
        try (lines.joined(separator: "\n") + "\n").write(to: manifestURL, atomically: true, encoding: .utf8)
    }

    // MARK: - Files

    private func write(_ file: SourceFile, overwritesEdited: Bool) throws -> Outcome {
        let target = url.appending(path: file.path)
        let current = try? String(contentsOf: target, encoding: .utf8)
        if current == file.text { return .unchanged }
        if isEdited(file.path, current), !overwritesEdited {
            // If the description has not changed, there is nothing new to say.
            let wouldChange = digests[file.path] != Self.digest(file.text)
            guard wouldChange else { return .unchanged }
            return .kept(Difference.lines(from: current ?? "", to: file.text))
        }
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try file.text.write(to: target, atomically: true, encoding: .utf8)
        return current == nil ? .created : .updated
    }

    /// Whether a file is not as it was generated: it has another text, or was deleted, or was there before.
    private func isEdited(_ path: String, _ current: String?) -> Bool {
        let generated = digests[path]
        guard let current else { return generated != nil }
        return Self.digest(current) != generated
    }

    private func remove(_ path: String) -> Outcome {
        let target = url.appending(path: path)
        guard let current = try? String(contentsOf: target, encoding: .utf8) else { return .unchanged }
        if isEdited(path, current) { return .kept(["no longer in the description"]) }
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
        let oldLines = old.split(separator: "\n", omittingEmptySubsequences: false)
        let newLines = new.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = newLines.difference(from: oldLines).map(Change.init)
        return changes.sorted().map(\.description)
    }

    private struct Change: Comparable, CustomStringConvertible {
        /// From 1.
        let line: Int
        let isInsertion: Bool
        let text: Substring

        init(_ change: CollectionDifference<Substring>.Change) {
            switch change {
            case .insert(let offset, let element, _):
                line = offset + 1
                isInsertion = true
                text = element
            case .remove(let offset, let element, _):
                line = offset + 1
                isInsertion = false
                text = element
            }
        }

        /// By line, and in each line what is removed first.
        static func < (left: Change, right: Change) -> Bool {
            if left.line != right.line { return left.line < right.line }
            return right.isInsertion && !left.isInsertion
        }

        var description: String { "\(isInsertion ? "+" : "-") \(line): \(text)" }
    }
}
