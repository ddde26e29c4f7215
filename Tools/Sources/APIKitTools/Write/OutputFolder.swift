import Foundation

/// The folder with the generated files, which the user may edit.
///
/// The manifest, a file called `.apikit` in the folder, has a digest of the text that was generated for each file. A
/// file whose text has another digest has been edited, and is not overwritten.
struct OutputFolder {
    /// The result of writing a file.
    enum Outcome: Equatable {
        case created, updated, unchanged, removed
        /// The file was edited and is kept. The lines show what would change.
        case kept([String])

        /// The word for the outcome in a summary, such as `created`.
        var name: String {
            switch self {
            case .created: "created"
            case .updated: "updated"
            case .unchanged: "unchanged"
            case .removed: "removed"
            case .kept: "kept"
            }
        }
    }

    private let url: URL
    /// The digests of the texts that were generated last, by path. A file that was kept also has the digest of its
    /// generated text here, not that of its edited text.
    private var digests: [String: String] = [:]

    /// Opens a folder, which may not exist yet, and reads its manifest.
    ///
    /// Each line of the manifest has a digest and a path: `0f1e2d3c4b5a6978 Models/Order.swift`. A line that begins
    /// with `#` is a comment. Without a manifest, all files of the folder are taken for edited ones.
    init(_ url: URL) {
        self.url = url
        let manifest = (try? String(contentsOf: manifestURL, encoding: .utf8)) ?? ""
        for line in manifest.split(separator: "\n") where !line.hasPrefix("#") {
            // A path may contain spaces.
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let digest = String(parts[0])
            let path = String(parts[1])
            digests[path] = digest
        }
    }

    /// Writes files and the manifest.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - removesOthers: Whether to remove files that were generated earlier, are not among `files`, and have not been
    ///     edited.
    ///   - overwritesEdited: Whether to overwrite files that have been edited.
    ///   - report: Called after each file, with the number of those that are written.
    /// - Returns: The outcome for each file, also for removed ones.
    /// - Throws: An error if a file or the manifest cannot be written.
    mutating func write(
        _ files: [SourceFile], removesOthers: Bool, overwritesEdited: Bool,
        _ report: (Generation.Step.Count) -> Void = { _ in }
    ) throws -> [(path: String, outcome: Outcome)] {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var outcomes: [(path: String, outcome: Outcome)] = []
        do {
            outcomes = try update(files, overwritesEdited: overwritesEdited, report)
        } catch {
            // Some files may have been written already. If they were not in the manifest, the next run would take them
            // for edited ones. The first error is thrown, even if the manifest cannot be written either.
            try? saveManifest()
            throw error
        }
        if removesOthers { outcomes += removeFiles(exceptFor: Set(files.map(\.path))) }
        try saveManifest()
        return outcomes
    }

    /// Writes files, and remembers the digest of each generated text, which is a hash.
    ///
    /// A file that the user has edited is kept, but the digest of the text that was generated for it is remembered too.
    /// So the next run reports the file only if its generated text has changed again.
    private mutating func update(
        _ files: [SourceFile], overwritesEdited: Bool, _ report: (Generation.Step.Count) -> Void
    ) throws -> [(path: String, outcome: Outcome)] {
        var outcomes: [(path: String, outcome: Outcome)] = []
        for file in files {
            let outcome = try write(file, overwritesEdited: overwritesEdited)
            outcomes.append((file.path, outcome))
            digests[file.path] = Self.digest(file.text)
            report(Generation.Step.Count(outcomes.count, of: files.count))
        }
        return outcomes
    }

    /// Removes the files of earlier runs that are no longer generated, and forgets their digests. Edited files stay in
    /// the folder, but later runs do not report them again.
    private mutating func removeFiles(exceptFor paths: Set<String>) -> [(path: String, outcome: Outcome)] {
        var outcomes: [(path: String, outcome: Outcome)] = []
        for path in digests.keys.sorted() where !paths.contains(path) {
            outcomes.append((path, removeUnlessEdited(path)))
            // A file without a digest is not looked at again.
            digests[path] = nil
        }
        return outcomes
    }

    private var manifestURL: URL { url.appending(path: ".apikit") }

    /// Writes the manifest: a comment, and a line with digest and path for each file, sorted by path.
    private func saveManifest() throws {
        var lines = ["# What `apikit` generated here: it does not overwrite files that have changed since."]
        lines += digests.sorted { $0.key < $1.key }.map { path, digest in "\(digest) \(path)" }
        try (lines.joined(separator: "\n") + "\n").write(to: manifestURL, atomically: true, encoding: .utf8)
    }

    // MARK: - Files

    /// Writes a file, unless it already has the generated text or was edited by the user. The caller remembers the
    /// digest of the generated text.
    ///
    /// - Returns: One of these outcomes:
    ///   - `created`: there was no such file.
    ///   - `updated`: the file had another text.
    ///   - `unchanged`: the file has the text already, or it was edited and the last run has reported the difference.
    ///   - `kept`: the file was edited, and the difference has not been reported yet.
    private func write(_ file: SourceFile, overwritesEdited: Bool) throws -> Outcome {
        let target = url.appending(path: file.path)
        let currentText = try? String(contentsOf: target, encoding: .utf8)
        if currentText == file.text { return .unchanged }
        if isEdited(file.path, currentText: currentText), !overwritesEdited {
            // The remembered digest is that of the text that the last run generated. If the text is still the same, so
            // is its difference from the edited file.
            let wasReported = digests[file.path] == Self.digest(file.text)
            if wasReported { return .unchanged }
            return .kept(Difference.lines(from: currentText ?? "", to: file.text))
        }
        let folder = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try file.text.write(to: target, atomically: true, encoding: .utf8)
        return currentText == nil ? .created : .updated
    }

    /// Whether the user has changed a file: it has another text than the last run generated, it was generated but has
    /// been deleted, or it exists although it was never generated.
    ///
    /// The current text is nil if the file does not exist.
    private func isEdited(_ path: String, currentText: String?) -> Bool {
        let wasGenerated = digests[path] != nil
        guard let currentText else {
            let isDeleted = wasGenerated
            return isDeleted
        }
        let hasGeneratedText = Self.digest(currentText) == digests[path]
        return !hasGeneratedText
    }

    /// Removes a file that is no longer generated. If it was edited, it is kept; if it does not exist, nothing changes.
    private func removeUnlessEdited(_ path: String) -> Outcome {
        let target = url.appending(path: path)
        guard let currentText = try? String(contentsOf: target, encoding: .utf8) else { return .unchanged }
        if isEdited(path, currentText: currentText) { return .kept(["no longer in the description"]) }
        try? FileManager.default.removeItem(at: target)
        return .removed
    }

    /// The 64-bit FNV-1a hash of a text. It only has to detect edits, so it need not be cryptographic.
    static func digest(_ text: String) -> String {
        let offsetBasis: UInt64 = 0xCBF2_9CE4_8422_2325
        let prime: UInt64 = 0x100_0000_01B3
        var hash = offsetBasis
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* prime }
        return String(format: "%016llx", hash)
    }
}

/// The difference of two texts by lines.
enum Difference {
    /// Lists the lines that differ, each with its number. Removed lines begin with `-`, added ones with `+`:
    ///
    ///     - 2:     let name: String
    ///     + 2:     let name: String?
    static func lines(from old: String, to new: String) -> [String] {
        let oldLines = old.split(separator: "\n", omittingEmptySubsequences: false)
        let newLines = new.split(separator: "\n", omittingEmptySubsequences: false)
        let changes = newLines.difference(from: oldLines).map(Change.init)
        return changes.sorted().map(\.description)
    }

    private struct Change: Comparable, CustomStringConvertible {
        /// The number of the line, from 1: in the old text for a removed line, in the new one for an added line.
        let lineNumber: Int
        let isAdded: Bool
        let text: Substring

        /// Creates a change from one of the standard library, whose offsets begin with 0.
        init(_ change: CollectionDifference<Substring>.Change) {
            switch change {
            case .insert(let offset, let element, _):
                lineNumber = offset + 1
                isAdded = true
                text = element
            case .remove(let offset, let element, _):
                lineNumber = offset + 1
                isAdded = false
                text = element
            }
        }

        /// Changes are sorted by line number. For the same number, the removed line comes before the added one.
        static func < (left: Change, right: Change) -> Bool {
            if left.lineNumber != right.lineNumber { return left.lineNumber < right.lineNumber }
            return !left.isAdded && right.isAdded
        }

        var description: String { "\(isAdded ? "+" : "-") \(lineNumber): \(text)" }
    }
}
