import Foundation
import Testing

@testable import APIKitTools

@Suite struct OutputFolderTests {
    private let folder: TemporaryFolder
    private let first = SourceFile(path: "A/One.swift", text: "struct One {\n    let a: Int\n}\n")
    private let second = SourceFile(path: "Two.swift", text: "struct Two {}\n")

    init() throws { folder = try TemporaryFolder() }

    // MARK: - What is written

    @Test func updatesAndRemovesWhatWasNotEdited() throws {
        #expect(try write([first, second]) == ["created", "created"])
        #expect(try write([first, second]) == ["unchanged", "unchanged"])
        let changed = SourceFile(path: first.path, text: "struct One {}\n")
        #expect(try write([changed]) == ["updated", "removed"])
        #expect(!exists("Two.swift"))
    }

    @Test func removesFoldersThatBecomeEmpty() throws {
        _ = try write([SourceFile(path: "A/B/One.swift", text: ""), second])
        _ = try folder.write("", to: "A/mine.txt")
        #expect(try write([second]) == ["removed", "unchanged"])
        #expect(!exists("A/B"))
        #expect(exists("A/mine.txt"))
    }

    @Test func subsetRemovesNothing() throws {
        _ = try write([first, second])
        #expect(try write([first], all: false) == ["unchanged"])
        #expect(exists("Two.swift"))
    }

    @Test func runThatChangesNothingTouchesNothing() throws {
        _ = try write([first])
        let manifest = folder.url.appending(path: ".apikit").path
        let old = Date(timeIntervalSince1970: 1000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: manifest)
        _ = try write([first])
        let date = try FileManager.default.attributesOfItem(atPath: manifest)[.modificationDate] as? Date
        #expect(date == old)
    }

    @Test func replacedFileKeepsItsPermissions() throws {
        _ = try write([second])
        let path = folder.url.appending(path: second.path).path
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: path)
        #expect(try write([SourceFile(path: second.path, text: "// new\n")]) == ["updated"])
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o440)
    }

    // MARK: - Conflicts

    @Test func keepsWhatWasEditedAndShowsWhatWouldChange() throws {
        _ = try write([first])
        _ = try folder.write("struct One {\n    let a: Int?\n}\n", to: first.path)
        // The description has not changed, so there is nothing to say.
        #expect(try write([first]) == ["unchanged"])
        let changed = SourceFile(path: first.path, text: "struct One {\n    let a: Int\n    let b: Int\n}\n")
        let report = [
            "A/One.swift was edited, and would change:", "- 2:     let a: Int?", "+ 2:     let a: Int",
            "+ 3:     let b: Int",
        ]
        #expect(try write([changed]) == report)
        #expect(try text(first.path).contains("Int?"))
        #expect(try write([changed], .overwrite) == ["updated"])
    }

    @Test func conflictIsReportedUntilItIsSolved() throws {
        _ = try write([second])
        _ = try folder.write("// edited\n", to: second.path)
        let changed = SourceFile(path: second.path, text: "// new\n")
        let report = ["Two.swift was edited, and would change:", "- 1: // edited", "+ 1: // new"]
        #expect(try write([changed]) == report)
        #expect(try write([changed]) == report)
        _ = try folder.write("// new and edited\n", to: second.path)
        #expect(try write([changed]) == ["unchanged"])
        #expect(try text(second.path) == "// new and edited\n")
    }

    @Test func conflictIsSolvedByTakingTheEditBack() throws {
        _ = try write([second])
        let original = try text(second.path)
        _ = try folder.write("// edited\n", to: second.path)
        for newText in ["// new\n", "// newer\n"] {
            let report = try write([SourceFile(path: second.path, text: newText)])
            #expect(report[0] == "Two.swift was edited, and would change:")
        }
        _ = try folder.write(original, to: second.path)
        #expect(try write([SourceFile(path: second.path, text: "// newer\n")]) == ["updated"])
        #expect(try text(second.path) == "// newer\n")
    }

    @Test func keptConflictIsReportedOnlyIfTheTextChangesAgain() throws {
        _ = try write([second])
        _ = try folder.write("// edited\n", to: second.path)
        let changed = SourceFile(path: second.path, text: "// new\n")
        #expect(try write([changed], .keep) == ["unchanged"])
        #expect(try write([changed]) == ["unchanged"])
        #expect(try write([second])[0] == "Two.swift was edited, and would change:")
    }

    @Test func deletedFileStaysDeletedUntilItsTextChanges() throws {
        _ = try write([second])
        try FileManager.default.removeItem(at: folder.url.appending(path: second.path))
        #expect(try write([second]) == ["unchanged"])
        let changed = SourceFile(path: second.path, text: "// new\n")
        let report = ["Two.swift was deleted, and has changed in the description"]
        #expect(try write([changed]) == report)
        #expect(try write([changed]) == report)
        #expect(!exists(second.path))
        #expect(try write([changed], .overwrite) == ["created"])
    }

    @Test func fileThatWasThereBeforeIsTheUsersOwn() throws {
        _ = try folder.write("// mine\n", to: "Two.swift")
        let report = ["Two.swift is not from apikit, and would change:", "- 1: // mine", "+ 1: struct Two {}"]
        #expect(try write([second]) == report)
        #expect(try write([second]) == report)
        #expect(try write([]) == [])
        #expect(try text("Two.swift") == "// mine\n")
        try FileManager.default.removeItem(at: folder.url.appending(path: "Two.swift"))
        #expect(try write([second]) == ["created"])
    }

    @Test func editedFileOfARemovedOperationIsKept() throws {
        _ = try write([first, second])
        _ = try folder.write("// edited\n", to: second.path)
        let report = ["Two.swift was edited, and is no longer in the description: delete it if you agree"]
        #expect(try write([first]) == ["unchanged"] + report)
        #expect(try write([first]) == ["unchanged"] + report)
        #expect(try write([first], .overwrite) == ["unchanged"] + report)
        #expect(try write([first], .keep) == ["unchanged"])
        #expect(try write([first]) == ["unchanged"])
        #expect(try text(second.path) == "// edited\n")
    }

    // MARK: - What cannot be read

    @Test(arguments: [FileAction.Policy.report, .overwrite])
    func fileThatIsNotTextIsNeverOverwritten(policy: FileAction.Policy) throws {
        let file = folder.url.appending(path: second.path)
        let bytes = Data([0x2F, 0x2F, 0xE9, 0x0A])
        try bytes.write(to: file)
        let report = ["Two.swift is not UTF-8 text, so it is not overwritten: move or delete it"]
        #expect(try write([second], policy) == report)
        #expect(try write([second], policy) == report)
        #expect(try Data(contentsOf: file) == bytes)
        try FileManager.default.removeItem(at: file)
        #expect(try write([second], policy) == ["created"])
    }

    @Test func editedFileThatIsNotTextIsAConflictIfItsTextChanges() throws {
        _ = try write([second])
        try Data([0xFF, 0xFE]).write(to: folder.url.appending(path: second.path))
        #expect(try write([second]) == ["unchanged"])
        let changed = SourceFile(path: second.path, text: "// new\n")
        #expect(try write([changed])[0].hasPrefix("Two.swift is not UTF-8 text"))
        #expect(try write([], .report)[0].hasPrefix("Two.swift is not UTF-8 text"))
    }

    @Test func folderInPlaceOfAFileIsAConflict() throws {
        _ = try folder.write("", to: "Two.swift/mine.txt")
        _ = try folder.write("", to: "A")
        #expect(
            try write([first, second], .overwrite) == [
                "A/One.swift is below something that is not a folder, so it is not overwritten: move or delete it",
                "Two.swift is not a file, so it is not overwritten: move or delete it",
            ])
    }

    @Test(.timeLimit(.minutes(10))) func pipeIsNotRead() throws {
        let path = folder.url.appending(path: second.path).path
        #expect(mkfifo(path, 0o600) == 0)
        #expect(try write([second], .overwrite)[0].hasPrefix("Two.swift is not a file"))
    }

    @Test func unreadableManifestIsAnErrorThatChangesNothing() throws {
        _ = try folder.write("", to: ".apikit/file")
        let error = #expect(throws: OutputError.self) { try write([second]) }
        #expect(error?.description.contains(".apikit cannot be read") == true)
        #expect(!exists("Two.swift"))
    }

    @Test func fileInPlaceOfTheFolderIsAnErrorInWords() throws {
        let file = try folder.write("", to: "file")
        let error = #expect(throws: OutputError.self) {
            try OutputFolder(file).write([second], removesOthers: true, .report)
        }
        #expect(error?.description.hasPrefix("\(file.path) cannot be written: ") == true)
        #expect(error?.description.contains("Domain") == false)
    }

    @Test(
        arguments: [
            (CocoaError.Code.fileWriteFileExists, ": something else is in its place"),
            (.fileWriteNoPermission, ": the permission is missing"),
            (.fileNoSuchFile, ": the folder around it does not exist"),
            (.fileWriteInvalidFileName, ": its name is too long, or is not one that a file can have"),
            (.fileWriteOutOfSpace, ": there is no space left"), (.fileWriteUnknown, ""),
        ] as [(CocoaError.Code, String)])
    func errorsOfFoundationAreSentences(code: CocoaError.Code, reason: String) {
        let error = #expect(throws: OutputError.self) {
            try OutputError.catching(at: "a") { throw CocoaError(code) }
        }
        #expect(error?.description == "a cannot be written\(reason)")
    }

    // MARK: - Links

    @Test func nothingIsWrittenOrRemovedOutsideByALink() throws {
        let outside = try TemporaryFolder()
        _ = try outside.write(first.text, to: "One.swift")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "A"), withDestinationURL: outside.url)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: second.path), withDestinationURL: outside.url.appending(path: "none"))
        let digest = TextDigest(of: first.text)
        _ = try folder.write("\(digest) A/One.swift\n", to: ".apikit")
        #expect(
            try write([]) == [
                "A/One.swift leads out of the folder by a symbolic link, so it is not overwritten: move or delete it"
            ])
        let changed = SourceFile(path: first.path, text: "// new\n")
        #expect(
            try write([changed, second], .overwrite) == [
                "A/One.swift leads out of the folder by a symbolic link, so it is not overwritten: move or delete it",
                "Two.swift is a symbolic link that leads nowhere, so it is not overwritten: move or delete it",
            ])
        #expect(try String(contentsOf: outside.url.appending(path: "One.swift"), encoding: .utf8) == first.text)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: outside.url.path) == ["One.swift"])
    }

    @Test func linkInsideOfTheFolderIsFollowed() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "B"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: "A"), withDestinationURL: folder.url.appending(path: "B"))
        #expect(try write([first]) == ["created"])
        #expect(try text("B/One.swift") == first.text)
    }

    @Test(arguments: [".git/HEAD", "notes.txt"])
    func linkToAFileOfAnotherKindIsNotFollowed(target: String) throws {
        let other = try folder.write("// other\n", to: target)
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: second.path), withDestinationURL: other)
        _ = try folder.write("\(TextDigest(of: "// other\n")) Two.swift\n", to: ".apikit")
        #expect(try write([second], .overwrite)[0].hasPrefix("Two.swift leads by a symbolic link to a file that is"))
        #expect(try text(target) == "// other\n")
    }

    /// A slash and the character after it, or before it, may be one character for Swift.
    @Test(arguments: ["A/\u{301}.swift", "A\u{D4E}/x.swift"])
    func partsOfAPathAreThoseOfTheFileSystem(path: String) throws {
        let outside = try TemporaryFolder()
        let parts = path.unicodeScalars.split(separator: "/").map { String(String.UnicodeScalarView($0)) }
        _ = try outside.write("// out\n", to: parts[1])
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: parts[0]), withDestinationURL: outside.url)
        _ = try folder.write("\(TextDigest(of: "// out\n")) \(path)\n", to: ".apikit")
        #expect(try write([])[0].contains("leads out of the folder"))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: outside.url.path).count == 1)
    }

    @Test(arguments: ["../out.swift", "A/../../out.swift", "/out.swift", "A//x.swift", ".git/x.swift", "a\\b.swift"])
    func linesOfAManifestThatLeadElsewhereAreIgnored(path: String) throws {
        let inner = folder.url.appending(path: "inner")
        _ = try folder.write("// out\n", to: "out.swift")
        _ = try folder.write("// x\n", to: "inner/.git/x.swift")
        let digest = TextDigest(of: "// out\n")
        _ = try folder.write("\(digest) \(path)\n", to: "inner/.apikit")
        #expect(
            try Self.lines(OutputFolder(inner).write([second], removesOthers: true, .report)) == ["line 1", "created"])
        #expect(exists("out.swift"))
        #expect(exists("inner/.git/x.swift"))
    }

    // MARK: - Line endings

    @Test func checkoutWithOtherLineEndingsIsNotEdited() throws {
        _ = try write([first, second])
        for path in [".apikit", first.path, second.path] {
            _ = try folder.write(try text(path).replacing("\n", with: "\r\n"), to: path)
        }
        #expect(try write([first, second]) == ["unchanged", "unchanged"])
        let changed = SourceFile(path: first.path, text: "struct One {\n}\n")
        #expect(try write([changed]) == ["updated", "removed"])
        #expect(try text(first.path) == "struct One {\r\n}\r\n")
    }

    @Test func differenceIgnoresLineEndings() {
        #expect(Difference.lines(from: "a\r\nb\r\n", to: "a\nc\n") == ["- 2: b", "+ 2: c"])
        #expect(Difference.lines(from: "\u{1B}[2Ja\n", to: "b\n") == ["- 1:  [2Ja", "+ 1: b"])
    }

    @Test(.timeLimit(.minutes(10))) func longFilesAreNotCompared() {
        let lines = (0..<20_000).map { "\($0)\n" }.joined()
        #expect(Difference.lines(from: lines, to: "a\n") == ["20001 lines would become 2 lines"])
    }

    // MARK: - Interrupted and failed runs

    @Test func failedRunDoesNotForgetAConflict() throws {
        _ = try write([first, second])
        _ = try folder.write("// edited\n", to: first.path)
        let changed = SourceFile(path: first.path, text: "// new\n")
        let third = SourceFile(path: "Three.swift", text: "// three\n")
        // The manifest cannot be replaced.
        let manifest = folder.url.appending(path: ".apikit")
        let old = try text(".apikit")
        try FileManager.default.removeItem(at: manifest)
        _ = try folder.write("", to: ".apikit/file")
        #expect(throws: OutputError.self) { try write([changed, second, third]) }
        try FileManager.default.removeItem(at: manifest)
        _ = try folder.write(old, to: ".apikit")
        #expect(!exists("Three.swift"))
        let report = ["A/One.swift was edited, and would change:", "- 1: // edited", "+ 1: // new"]
        #expect(try write([changed, second, third]) == report + ["created", "unchanged"])
    }

    @Test func conflictOfARunThatFailsLaterIsReportedByTheNext() throws {
        let deep = SourceFile(path: "B/C/Two.swift", text: "// two\n")
        _ = try write([first, deep])
        _ = try folder.write("// edited\n", to: first.path)
        let changed = [
            SourceFile(path: first.path, text: "// new\n"), SourceFile(path: "B/C/Three.swift", text: ""), deep,
        ]
        let readOnly = folder.url.appending(path: "B/C").path
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: readOnly)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: readOnly) }
        // Root may write everywhere.
        if getuid() != 0 { #expect(throws: OutputError.self) { try write(changed) } }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: readOnly)
        #expect(try write(changed)[0] == "A/One.swift was edited, and would change:")
    }

    /// The user may have stopped the run because they did not want to overwrite the files after all.
    @Test func failedRunThatOverwritesDoesNotForgetEdits() throws {
        let deleted = SourceFile(path: "Deleted.swift", text: "// deleted\n")
        let own = SourceFile(path: "Own.swift", text: "// own\n")
        _ = try write([first, second, deleted])
        _ = try folder.write("// edited\n", to: first.path)
        _ = try folder.write("// mine\n", to: own.path)
        try FileManager.default.removeItem(at: folder.url.appending(path: deleted.path))
        let changed = [first, deleted, own].map { SourceFile(path: $0.path, text: "// new\n") }
        // No file can have this name, and it is the first to be written.
        let long = SourceFile(path: String(repeating: "0", count: 300) + ".swift", text: "")
        #expect(throws: OutputError.self) { try write(changed + [second, long], .overwrite) }
        let ownReport = ["Own.swift is not from apikit, and would change:", "- 1: // mine", "+ 1: // new"]
        #expect(
            try write(changed + [second])
                == ["A/One.swift was edited, and would change:", "- 1: // edited", "+ 1: // new"]
                + ["Deleted.swift was deleted, and has changed in the description"] + ownReport + ["unchanged"])
        #expect(throws: OutputError.self) { try write(changed + [second, long], .overwrite) }
        #expect(
            try write([second]) == [
                "A/One.swift was edited, and is no longer in the description: delete it if you agree", "unchanged",
            ])
        #expect(try text(first.path) == "// edited\n")
        #expect(try text(own.path) == "// mine\n")
    }

    @Test func interruptedRunIsContinued() throws {
        _ = try write([first, second])
        // A run was interrupted after it had replaced the first file and created the third, with other options.
        let staged = "// staged\n"
        let digests = [first.text, staged].map { TextDigest(of: $0).description }
        let planned = TextDigest(of: staged)
        let manifest =
            try text(".apikit") + "\(digests[1]) \(first.path)\n\(planned) + Three.swift\n\(planned) + 4.swift\n"
        _ = try folder.write(manifest, to: ".apikit")
        _ = try folder.write(staged, to: first.path)
        _ = try folder.write(staged, to: "Three.swift")
        _ = try folder.write(staged, to: ".apikit.new/0")
        let files = [first, second] + ["Three.swift", "4.swift"].map { SourceFile(path: $0, text: "// other\n") }
        #expect(try write(files) == ["created", "updated", "updated", "unchanged"])
        #expect(!exists(".apikit.new"))
        #expect(try write(files) == ["unchanged", "unchanged", "unchanged", "unchanged"])
    }

    @Test func leftoverThatIsALinkIsRemovedAndNotFollowed() throws {
        let outside = try TemporaryFolder()
        _ = try outside.write("", to: "mine.txt")
        try FileManager.default.createSymbolicLink(
            at: folder.url.appending(path: ".apikit.new"), withDestinationURL: outside.url)
        #expect(try write([second]) == ["created"])
        #expect(try FileManager.default.subpathsOfDirectory(atPath: outside.url.path) == ["mine.txt"])
        #expect(!exists(".apikit.new"))
    }

    @Test func runsAtTheSameTimeWriteOneAfterTheOther() async throws {
        let files = (0..<50).map { SourceFile(path: "F\($0).swift", text: "// \($0)\n") }
        let url = folder.url
        let outcomes = try await withThrowingTaskGroup(of: [Outcome].self) { group in
            for _ in 0..<4 {
                group.addTask { try OutputFolder(url).write(files, removesOthers: true, .report) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count { $0 == .created } == 50)
        #expect(outcomes.count { $0 == .unchanged } == 150)
    }

    // MARK: - Places

    @Test func fileStaysInTheFolderInWhichItIs() throws {
        _ = try write([first])
        _ = try folder.write("// edited\n", to: first.path)
        let moved = SourceFile(path: "Endpoints/B/One.swift", text: first.text)
        #expect(try write([moved]) == ["unchanged"])
        #expect(!exists("Endpoints"))
        // Two files of the same name are not confused.
        let other = SourceFile(path: "One.swift", text: "// other\n")
        #expect(try write([first, other]) == ["unchanged", "created"])
    }

    @Test func caseOfAFolderDoesNotMatter() throws {
        _ = try write([SourceFile(path: "GitHub/One.swift", text: "// one\n")])
        #expect(try write([SourceFile(path: "Github/one.swift", text: "// one\n")]) == ["unchanged"])
        #expect(exists("GitHub/One.swift"))
    }

    /// As on a file system that ignores case, after a merge of two manifests.
    @Test func otherPathOfAGeneratedFileIsNotRemoved() throws {
        let files = ["GitHub/One.swift", "Github/One.swift"].map { SourceFile(path: $0, text: "// one\n") }
        _ = try write([files[1]])
        let paths = files.map { folder.url.appending(path: $0.path) }
        try FileManager.default.createDirectory(
            at: paths[0].deletingLastPathComponent(), withIntermediateDirectories: true)
        try? FileManager.default.linkItem(at: paths[1], to: paths[0])
        let manifest = try text(".apikit")
        _ = try folder.write(manifest + manifest.replacing("Github", with: "GitHub"), to: ".apikit")
        #expect(try write([files[1]]) == ["unchanged"])
        #expect(exists(files[0].path))
        #expect(try !text(".apikit").contains("GitHub/"))
    }

    // MARK: -

    private func write(
        _ files: [SourceFile], _ policy: FileAction.Policy = .report, all: Bool = true
    ) throws -> [String] {
        Self.lines(try OutputFolder(folder.url).write(files, removesOthers: all, policy))
    }

    /// The outcomes as lines: a word, or the lines about a conflict.
    private static func lines(_ outcomes: [Outcome]) -> [String] {
        outcomes.flatMap { outcome in
            switch outcome {
            case .conflict(let report): [report.headline] + report.difference
            case .ignoredLine(let number): ["line \(number)"]
            case .created, .updated, .unchanged, .removed: ["\(outcome)"]
            }
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: folder.url.appending(path: path), encoding: .utf8)
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.url.appending(path: path).path)
    }
}
