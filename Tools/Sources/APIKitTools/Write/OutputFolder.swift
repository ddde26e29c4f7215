import Foundation

/// The folder with the generated files, which the user may edit.
///
/// The manifest `.apikit` in the folder has a digest of each file as it was generated. A file with another digest has
/// been edited, and is not overwritten.
struct OutputFolder {
    /// The result of writing a file.
    enum Outcome: Equatable {
        case created, updated, unchanged, removed
        /// The file was edited and is kept. The lines show what would change.
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

    /// Writes files.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - removesOthers: Whether to remove files that were generated earlier, are not among `files`, and have not been
    ///     edited.
    ///   - overwritesEdited: Whether to overwrite files that have been edited.
    /// - Returns: The outcome for each file, also for removed ones.
    /// - Throws: An error if a file or the manifest cannot be written.
    mutating func write(
        _ files: [SourceFile], removesOthers: Bool, overwritesEdited: Bool
    ) throws -> [(path: String, outcome: Outcome)] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let outcomes: [(path: String, outcome: Outcome)]
        do {
            outcomes = try update(files, removesOthers: removesOthers, overwritesEdited: overwritesEdited)
        } catch {
            // Some files may have been written. The next run has to know them, or it would take them for edited ones.
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
            // The change has been reported before if the generated text is the same as in the last run.
            let wouldChange = digests[file.path] != Self.digest(file.text)
            guard wouldChange else { return .unchanged }
            return .kept(Difference.lines(from: current ?? "", to: file.text))
        }
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try file.text.write(to: target, atomically: true, encoding: .utf8)
        return current == nil ? .created : .updated
    }

    /// Whether a file differs from what was generated: it has another text, was deleted, or was not generated at all.
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

    /// The 64-bit FNV-1a hash of a text. It only has to detect edits, so it need not be cryptographic.
    static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return String(format: "%016llx", hash)
    }
}

/// The difference of two texts by lines.
enum Difference {
    /// The changed lines with their numbers. Removed lines begin with `-`, added ones with `+`.
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

        /// Changes are sorted by line. In the same line, a removal comes before an insertion.
        static func < (left: Change, right: Change) -> Bool {
            if left.line != right.line { return left.line < right.line }
            return right.isInsertion && !left.isInsertion
        }

        var description: String { "\(isInsertion ? "+" : "-") \(line): \(text)" }
    }
}
