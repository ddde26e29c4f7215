import APIKitTools
import ArgumentParser
import Foundation

/// The command `apikit`.
@main
struct APIKitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apikit", abstract: "Writes endpoints for APIKit.", version: "0.1.0",
        subcommands: [Endpoints.self])
}

/// The command `apikit endpoints`.
struct Endpoints: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Writes endpoints and models from a description of an API in OpenAPI 3.0 or 3.1, or from a recording.",
        discussion: """
            Files that you have edited are not overwritten: if the description changes them, too, they are conflicts, \
            with the lines that would change. Each run names a conflict until you edit or delete the file, or pass \
            --keep or --overwrite.

            Exit codes: 0 if the files are as the description says; 2 if all files are, except for conflicts; 1 if \
            there was nothing to write, or after an error; 64 if the arguments are wrong.
            """)

    @Argument(help: "The description, in JSON or YAML, or a recording with the extension har.")
    var source: String

    @Option(help: "The folder to write to. Its name is the API's: GitHub for Sources/GitHub and git-hub.")
    var into: String

    @Option(help: "The folder for tests of the endpoints of a recording.")
    var tests: String?

    @Option(help: "A recording that corrects a description: what is null or absent in it becomes optional.")
    var recording: String?

    @Option(help: "A behavior model: a file that says which operations of a description are sent again, and how.")
    var behavior: String?

    @Option(help: "The API's name, if it is not that of the folder.")
    var name: String?

    @Option(parsing: .upToNextOption, help: "The paths, tags or operations to write; all by default.")
    var only: [String] = []

    @Flag(name: .customLong("public"), help: "Make endpoints and models public.")
    var isPublic = false

    @Flag(
        name: .customLong("methods"),
        help: "Write a public client with a method for each endpoint, and make models public.")
    var writesMethods = false

    @Flag(name: .customLong("codable"), help: "Make models that are only read Encodable too.")
    var isCodable = false

    @Flag(
        name: .customLong("oauth"),
        help: "Write a source of tokens for OAuth 2.0, for a target that depends on the product APIKitOAuth.")
    var writesOAuthSource = false

    @Flag(name: .customLong("overwrite"), help: "Overwrite files that were edited.")
    var overwritesEdited = false

    @Flag(
        name: .customLong("keep"),
        help: "Keep files that were edited, and name them as conflicts only if the description changes them again.")
    var keepsEdited = false

    @Flag(
        name: .customLong("each-note"),
        help: "Print a line for each part that is skipped or simplified, not one for all parts of a kind.")
    var listsEachNote = false

    @Flag(
        name: .customLong("allow-outside"),
        help: "Read files outside of the description's folder, if its references lead there.")
    var allowsOutside = false

    /// The exit code of a run with conflicts, as 1 is that of errors.
    static let conflictCode = ExitCode(2)

    /// Rejects a folder for tests without a recording to write them from, and options that contradict each other.
    func validate() throws {
        let isRecording = source.lowercased().hasSuffix(".har")
        if tests != nil, !isRecording {
            throw ValidationError("Tests need a recording; check a description's endpoints with APIDescription.")
        }
        if isPublic, writesMethods {
            throw ValidationError("With --methods, models are public and endpoints internal: leave out --public.")
        }
        if behavior != nil, isRecording {
            throw ValidationError("A behavior model is about the operations of a description.")
        }
        if overwritesEdited, keepsEdited {
            throw ValidationError("--keep and --overwrite contradict each other.")
        }
        if let tests, Self.resolved(tests) == Self.resolved(into) {
            throw ValidationError("--tests needs another folder than --into.")
        }
    }

    /// The path of a folder without symbolic links, also if the folder or those around it do not exist yet.
    private static func resolved(_ folder: String) -> String {
        var existing = URL(filePath: folder).standardizedFileURL
        var missingNames: [String] = []
        while existing.path != "/", !FileManager.default.fileExists(atPath: existing.path) {
            missingNames.insert(existing.lastPathComponent, at: 0)
            existing.deleteLastPathComponent()
        }
        return ([existing.resolvingSymlinksInPath().path] + missingNames).joined(separator: "/")
    }

    /// Throws an error if the source is not a file.
    private func checkSource() throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder) else {
            throw ValidationError("There is no file \(source).")
        }
        if isFolder.boolValue {
            throw ValidationError("\(source) is a folder: give the file of a description or of a recording.")
        }
    }

    /// Writes the files and prints a summary. The command fails if it finds no endpoint and no webhook to write, or if
    /// there are conflicts.
    func run() throws {
        try checkSource()
        let summary = try runShowingProgress()
        for line in summary.notes + summary.conflictLines { print(line) }
        if summary.conflicts > 0 {
            print("Edit the files with conflicts, or run the command again with --keep or --overwrite.")
        }
        print(Self.lastLine(of: summary))
        if Self.isEmpty(summary) { throw ExitCode.failure }
        if summary.conflicts > 0 { throw Self.conflictCode }
    }

    /// Writes the files. The progress is removed before the summary or an error is printed.
    private func runShowingProgress() throws -> Generation.Summary {
        let folder = URL(filePath: into)
        var generation = try generation(into: folder)
        let display = ProgressDisplay()
        defer { display.end() }
        generation.progress = display.show
        return try generation.run(URL(filePath: source), into: folder)
    }

    /// Creates the generation with the options of the command line. The API has the name of the folder by default.
    private func generation(into folder: URL) throws -> Generation {
        var generation = try Generation(name: name ?? folder.lastPathComponent)
        generation.only = only
        generation.tests = tests.map { URL(filePath: $0) }
        generation.recording = recording.map { URL(filePath: $0) }
        generation.behaviorModel = behavior.map { URL(filePath: $0) }
        generation.isPublic = isPublic
        generation.writesMethods = writesMethods
        generation.isCodable = isCodable
        generation.writesOAuthSource = writesOAuthSource
        generation.allowsOutside = allowsOutside
        generation.editedFiles = editedFiles
        generation.listsEachNote = listsEachNote
        return generation
    }

    private var editedFiles: Generation.EditedFiles {
        if overwritesEdited { return .overwrite }
        return keepsEdited ? .keep : .report
    }

    /// Whether there was nothing to write.
    private static func isEmpty(_ summary: Generation.Summary) -> Bool { summary.written == 0 && summary.webhooks == 0 }

    /// The last line of the output: `453 of 465 endpoints, 2 webhooks; files: 460 created, 2 updated`.
    private static func lastLine(of summary: Generation.Summary) -> String {
        var endpoints = "\(summary.written) of \(summary.found) endpoints"
        if summary.webhooks > 0 { endpoints += ", \(summary.webhooks) webhooks" }
        if isEmpty(summary) { return "\(endpoints): no file was written or removed" }
        var counts = summary.files.sorted { $0.key < $1.key }.map { outcome, count in "\(count) \(outcome)" }
        if summary.conflicts > 0 {
            counts.append(summary.conflicts == 1 ? "1 conflict" : "\(summary.conflicts) conflicts")
        }
        return "\(endpoints); files: \(counts.joined(separator: ", "))"
    }
}
