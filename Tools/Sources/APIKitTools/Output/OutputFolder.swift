import Foundation

/// The folder with the generated files, which the user may edit.
///
/// The ``Manifest``, a file called `.apikit` in the folder, has a digest of the text that was generated for each file.
/// A file whose text has another digest has been edited, and is not overwritten.
struct OutputFolder {
    private let url: URL

    /// Opens a folder, which may not exist yet.
    init(_ url: URL) { self.url = url }

    private var manifestURL: URL { url.appending(path: ".apikit") }
    /// The folder for new texts until all of them are written. An interrupted run leaves it to the next one.
    private var stagingURL: URL { url.appending(path: ".apikit.new") }

    /// Reads the manifest. It is empty if the folder has none, and all files in it are then taken for the user's own.
    ///
    /// - Throws: ``OutputError`` if there is a manifest that cannot be read: with an empty one, its files would be
    ///   taken for the user's own.
    func manifest() throws -> Manifest {
        let path = manifestURL.path(percentEncoded: false)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return Manifest() }
        let isFile = attributes[.type] as? FileAttributeType == .typeRegular
        guard isFile, let data = try? Data(contentsOf: manifestURL), let text = String(bytes: data, encoding: .utf8)
        else {
            throw OutputError(path: path, problem: "cannot be read: restore it, or delete it and the files beside it")
        }
        return Manifest(text)
    }

    /// Writes files and the manifest.
    ///
    /// A file that an earlier run has written stays in the folder in which it is, whatever its new path.
    ///
    /// All texts are written to a folder beside the files before the first file changes, so that a full disk changes no
    /// file. If one of the files cannot be replaced, those before it are new, and the manifest knows them; conflicts
    /// are reported by the next run that succeeds.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - removesOthers: Whether to remove files that were generated earlier, are not among `files`, and have not been
    ///     edited.
    ///   - policy: What to do about conflicts.
    ///   - report: Called after each file, with the number of those that are written.
    /// - Returns: The outcomes.
    /// - Throws: An error if the manifest cannot be read, or if a file or the manifest cannot be written.
    func write(
        _ files: [SourceFile], removesOthers: Bool, _ policy: FileAction.Policy,
        _ report: (Generation.Step.Count) -> Void = { _ in }
    ) throws -> [Outcome] {
        let path = url.path(percentEncoded: false)
        try OutputError.catching(at: path) {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        guard let root = LocatedFile.resolved(path) else { throw OutputError(path: path, errno: errno) }
        let lock = FolderLock(root)
        defer { withExtendedLifetime(lock) {} }
        let manifest = try manifest()
        let placedFiles = try Placement(files, known: manifest.records.keys).files
        var plans = placedFiles.map { path, text in
            Self.plan(for: path, text: text, record: manifest.records[path], in: root, policy)
        }
        if removesOthers {
            let identities = Set(plans.compactMap(\.file.identity))
            for (path, record) in manifest.records where placedFiles[path] == nil {
                plans.append(Self.plan(forObsolete: path, record, in: root, policy, otherThan: identities))
            }
        }
        plans.sort { $0.path < $1.path }
        try carryOut(plans, manifest, in: root, report)
        let ignoredLines = manifest.ignoredLines.map(Outcome.ignoredLine)
        return ignoredLines + plans.compactMap(\.outcome)
    }

    // MARK: - Plans

    /// A file, and what is to be done with it.
    private struct Plan {
        let path: GeneratedPath
        let file: LocatedFile
        /// The generated text; nil if the file is not generated any more.
        let text: String?
        let action: FileAction

        /// The text to write; nil if the file stays as it is, or is removed.
        var textToWrite: String? {
            switch action {
            case .create, .replace: text
            case .keep, .remove, .forget, .conflict: nil
            }
        }

        var isConflict: Bool {
            if case .conflict = action { true } else { false }
        }

        /// What the manifest says of the file after the run; nil if it says nothing.
        func record(after record: Manifest.Record?) -> Manifest.Record? {
            let generated = text.map(TextDigest.init(of:))
            switch action {
            case .create, .replace, .keep: return generated.map { .generated([$0]) }
            case .remove, .forget: return nil
            // `apikit` does not own the file.
            case .conflict(.existing): return nil
            case .conflict: return .conflict(generated, with: file.content, after: record)
            }
        }

        /// What the summary of the run says of the file; nil if the manifest merely forgets it.
        var outcome: Outcome? {
            switch action {
            case .create: return .created
            case .replace: return .updated
            case .keep: return .unchanged
            case .remove: return .removed
            case .forget: return nil
            case .conflict(let conflict):
                return .conflict(ConflictReport(conflict, path: path, state: file.state, newText: text))
            }
        }
    }

    /// Plans what to do with a file for which a text is generated.
    private static func plan(
        for path: GeneratedPath, text: String, record: Manifest.Record?, in root: String, _ policy: FileAction.Policy
    ) -> Plan {
        let file = LocatedFile.at(path, in: root)
        let action = FileAction.writing(TextDigest(of: text), to: file.content, knownAs: record, policy)
        return Plan(path: path, file: file, text: text, action: action)
    }

    /// Plans what to do with a file of an earlier run for which nothing is generated any more. A file with one of the
    /// identities is only forgotten, since it is also a generated one.
    private static func plan(
        forObsolete path: GeneratedPath, _ record: Manifest.Record, in root: String, _ policy: FileAction.Policy,
        otherThan identities: Set<LocatedFile.Identity>
    ) -> Plan {
        let file = LocatedFile.at(path, in: root)
        var action = FileAction.removing(file.content, knownAs: record, policy)
        // If the file system ignores case, or by a link, the path may lead to a file that is generated under another
        // path, so it must not be removed.
        if let identity = file.identity, identities.contains(identity) { action = .forget }
        return Plan(path: path, file: file, text: nil, action: action)
    }

    // MARK: - Writing

    /// Writes, moves and removes files in an order that an interrupted run can be continued from:
    ///
    /// 1. The new texts are written beside the files. If that fails, nothing has changed.
    /// 2. The manifest is saved with the old and the new text of each file: see ``recordWhileWriting(_:_:after:)``.
    /// 3. The texts are moved to the places of their files, and obsolete files are removed.
    /// 4. The manifest is saved with the final records, unless nothing has changed.
    private func carryOut(
        _ plans: [Plan], _ oldManifest: Manifest, in root: String, _ report: (Generation.Step.Count) -> Void
    ) throws {
        // An interrupted run may have left it. If it cannot be removed, creating it fails.
        try? FileManager.default.removeItem(at: stagingURL)
        let changesFiles = plans.contains { $0.textToWrite != nil }
        if changesFiles {
            try OutputError.catching(at: root) {
                try FileManager.default.createDirectory(at: stagingURL, withIntermediateDirectories: false)
            }
        }
        defer { try? FileManager.default.removeItem(at: stagingURL) }
        for (index, plan) in plans.enumerated() {
            if let text = plan.textToWrite {
                try OutputError.catching(at: plan.file.place) { try stage(plan, text, at: index) }
            }
            report(Generation.Step.Count(index + 1, of: plans.count))
        }
        var manifest = oldManifest
        // If the run is interrupted from now on, the next one knows both texts of each file.
        for plan in plans {
            guard let text = plan.textToWrite else { continue }
            let record = oldManifest.records[plan.path]
            manifest.records[plan.path] = Self.recordWhileWriting(plan, text, after: record)
        }
        if changesFiles { try save(manifest) }
        do {
            for (index, plan) in plans.enumerated() {
                if plan.textToWrite != nil { try move(stagedFile(at: index), to: plan) }
                if plan.action == .remove { try remove(plan, in: root) }
                manifest.records[plan.path] = plan.record(after: oldManifest.records[plan.path])
            }
        } catch {
            // The user has not seen the conflicts before the file that failed, so they are not recorded as reported.
            // The first error is thrown, even if the manifest cannot be written either.
            for plan in plans where plan.isConflict { manifest.records[plan.path] = oldManifest.records[plan.path] }
            try? save(manifest)
            throw error
        }
        let isChanged = changesFiles || manifest.records != oldManifest.records || !oldManifest.ignoredLines.isEmpty
        if isChanged { try save(manifest) }
    }

    /// What the manifest says of a file while the file is being written. If the run is interrupted, the next one finds
    /// the old content or the new text, and has to recognize both.
    ///
    /// A text in a `generated` record is one of `apikit`, which later runs may replace. So the user's edits must not
    /// get there, even if this run overwrites them: they may still be in the file when a run follows that does not
    /// overwrite. A `planned` record only names the new text, and anything else in the file stays the user's. The rows
    /// are in the order of the code:
    ///
    /// | what a run without overwriting would do | record |
    /// | --- | --- |
    /// | replace the file | `generated`: the current and the new text |
    /// | create the file, or report that it is not from `apikit` | `planned`: the new text |
    /// | report another conflict | that `conflict` |
    /// | leave the file as it is | what was known before |
    private static func recordWhileWriting(
        _ plan: Plan, _ text: String, after record: Manifest.Record?
    ) -> Manifest.Record? {
        let generated = TextDigest(of: text)
        let content = plan.file.content
        switch FileAction.writing(generated, to: content, knownAs: record, .report) {
        case .replace:
            // Only a text is ever replaced, so this does not fail.
            guard case .text(let current) = content else { return .planned(generated) }
            return .generated([current, generated])
        case .create, .conflict(.existing): return .planned(generated)
        case .conflict: return .conflict(generated, with: content, after: record)
        case .keep, .remove, .forget: return record
        }
    }

    /// The place of a new text until all of them are written.
    private func stagedFile(at index: Int) -> String {
        // Without an extension, so that no build takes it for code.
        stagingURL.appending(path: "\(index)").path(percentEncoded: false)
    }

    /// Writes a text into a folder beside the files, with the line endings and the permissions of the file that it
    /// replaces.
    private func stage(_ plan: Plan, _ text: String, at index: Int) throws {
        let staged = stagedFile(at: index)
        guard case .text(let current) = plan.file.state else {
            try Data(text.utf8).write(to: URL(filePath: staged))
            return
        }
        // In Swift, a carriage return and a line feed are one character, which is not equal to a line feed.
        let hasUnixEndings = current.contains { $0 == "\n" }
        let hasWindowsEndings = current.contains { $0 == "\r\n" }
        let newText = hasWindowsEndings && !hasUnixEndings ? text.replacing("\n", with: "\r\n") : text
        try Data(newText.utf8).write(to: URL(filePath: staged))
        let attributes = try FileManager.default.attributesOfItem(atPath: plan.file.place)
        if let permissions = attributes[.posixPermissions] {
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: staged)
        }
    }

    /// Moves a text to the place of its file.
    private func move(_ staged: String, to plan: Plan) throws {
        let place = plan.file.place
        let folder = URL(filePath: place).deletingLastPathComponent()
        try OutputError.catching(at: place) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        guard rename(staged, place) == 0 else { throw OutputError(path: place, errno: errno) }
    }

    /// Removes a file, and the folders above it that become empty. A file that is already gone is not an error.
    private func remove(_ plan: Plan, in root: String) throws {
        let path = "\(root)/\(plan.path.text)"
        guard unlink(path) == 0 || errno == ENOENT else { throw OutputError(path: path, errno: errno) }
        var folders = plan.path.folders
        while !folders.isEmpty {
            // It fails if the folder is not empty, or is a link. Both stay, and so do the folders above.
            guard rmdir("\(root)/\(folders.joined(separator: "/"))") == 0 else { return }
            folders.removeLast()
        }
    }

    /// Writes the manifest to the folder for new texts, and moves it from there, so that it is never incomplete.
    private func save(_ manifest: Manifest) throws {
        let staged = stagingURL.appending(path: "manifest")
        let path = manifestURL.path(percentEncoded: false)
        try OutputError.catching(at: path) {
            try FileManager.default.createDirectory(at: stagingURL, withIntermediateDirectories: true)
            try Data(manifest.text.utf8).write(to: staged)
        }
        guard rename(staged.path(percentEncoded: false), path) == 0 else { throw OutputError(path: path, errno: errno) }
    }
}

/// An error about the files of a folder, with the path.
struct OutputError: Error, CustomStringConvertible {
    let path: String
    let problem: String

    init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    /// Creates an error from one of the system.
    init(path: String, errno: Int32) {
        self.init(path: path, problem: "cannot be written: \(String(cString: strerror(errno)))")
    }

    /// Runs a body, and replaces each of its errors by one with the path. The descriptions of Foundation's errors are
    /// not meant for users, so the reason comes from the underlying error of the system, or from the code; if neither
    /// is known, the new error has no reason.
    static func catching(at path: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as NSError {
            let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
            if let underlying, underlying.domain == NSPOSIXErrorDomain {
                throw OutputError(path: path, errno: Int32(truncatingIfNeeded: underlying.code))
            }
            guard let reason = reason(for: error) else { throw OutputError(path: path, problem: "cannot be written") }
            throw OutputError(path: path, problem: "cannot be written: \(reason)")
        }
    }

    /// Why Foundation could not write something; nil if its error does not say it.
    private static func reason(for error: NSError) -> String? {
        guard error.domain == NSCocoaErrorDomain else { return nil }
        return switch CocoaError.Code(rawValue: error.code) {
        case .fileWriteFileExists: "something else is in its place"
        case .fileWriteNoPermission: "the permission is missing"
        case .fileNoSuchFile, .fileReadNoSuchFile: "the folder around it does not exist"
        case .fileWriteInvalidFileName: "its name is too long, or is not one that a file can have"
        case .fileWriteOutOfSpace: "there is no space left"
        case .fileWriteVolumeReadOnly: "it is on a volume that is read-only"
        default: nil
        }
    }

    var description: String { "\(path) \(problem)".visible }
}
