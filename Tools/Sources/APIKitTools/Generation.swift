public import Foundation

/// Generates endpoints from a description or a recording.
public struct Generation {
    /// The name of the API, such as `GitHub`.
    public let name: String
    /// The endpoints to write: paths, tags and names of operations; all if empty.
    public var only: [String] = []
    /// Whether endpoints and models are public.
    public var isPublic = false
    /// Whether models are public, and endpoints internal, with a public client that has a method for each endpoint.
    public var writesMethods = false
    /// Whether models that are only read can be encoded too.
    public var isCodable = false
    /// Whether a source of tokens is written for OAuth 2.0, whose code needs the product APIKitOAuth.
    public var writesOAuthSource = false
    /// What to do about files that were edited.
    public var editedFiles = EditedFiles.report
    /// A recording that corrects the description.
    public var recording: URL?
    /// A file that says how the description's operations behave: which may be sent again, and how they are paged.
    public var behaviorModel: URL?
    /// Whether references of the description may lead to files outside of its folder.
    public var allowsOutside = false
    /// Whether the summary has a line for each part of the source that the code does not represent as described, and
    /// not one for all parts of a kind.
    public var listsEachNote = false
    /// The folder for the tests of a recording's endpoints.
    public var tests: URL?
    /// Called before each step of a run or, if its parts are counted, after each part.
    public var progress: (Step) -> Void = { _ in }

    /// Creates a generation for an API. The name is converted to that of a type: "git-hub" becomes `GitHub`.
    ///
    /// - Throws: An error if the name has no letters, or if the API's protocol of requests would hide a type of the
    ///   library: for the name "API", that protocol would be `APIRequest`.
    public init(name: String) throws {
        let isTypeName = name.first?.isUppercase == true && name.allSatisfy { $0.isLetter || $0.isNumber }
        self.name = isTypeName ? name : SwiftName.type(name)
        let hasLetter = name.contains(where: \.isLetter)
        // The API's protocol of requests is called `GitHubRequest`.
        let hidesLibraryType = SwiftName.reservedTypes.contains("\(self.name)Request")
        if !hasLetter || hidesLibraryType { throw NameError(name: name) }
    }

    /// What a run does about files that were edited and whose generated text has changed, and about files that are not
    /// from an earlier run.
    public enum EditedFiles: Sendable {
        /// They stay as they are. Each run reports them until they are edited, deleted, kept or overwritten.
        case report
        /// They stay as they are, and later runs report them only if their generated text changes again.
        case keep
        /// They are overwritten, unless they are not text.
        case overwrite
    }

    private struct NameError: Error, CustomStringConvertible {
        let name: String
        var description: String { "\"\(name)\" cannot be the name of an API: choose another one with --name" }
    }

    /// The results of a run.
    public struct Summary {
        /// The number of endpoints in the source, with the operations that cannot be read.
        public var found = 0
        /// The number of endpoints written. Without endpoints and webhooks, no file is written or removed.
        public var written = 0
        /// The number of webhooks and callbacks written.
        public var webhooks = 0
        /// The number of files about which the user has to decide. They are not written.
        public var conflicts = 0
        /// A line for each of these files, followed by the lines that would change, and a line for each line of a
        /// manifest that is ignored.
        public var conflictLines: [String] = []
        /// One line for each kind of parts of the source that the code does not represent as described, or for each
        /// part, and one for each term of ``only`` that selects nothing.
        public var notes: [String] = []
        /// How many files were created, updated, removed and left as they were, by the words "created", "updated",
        /// "removed" and "unchanged".
        public var files: [String: Int] = [:]
    }

    /// Reads a description or a recording, writes the endpoints into a folder, and returns what was found and written.
    ///
    /// A recording also gives tests, if there is a folder for them. If ``only`` matches no endpoint and no webhook, or
    /// the source has none, no file is written or removed.
    ///
    /// - Throws: An error with file, line and path if the source cannot be read.
    public func run(_ source: URL, into folder: URL) throws -> Summary {
        let (plan, samples) = try prepared(source)
        let filter = Filter(only)
        var summary = summary(of: plan, filter)
        let isNothingChosen = summary.written == 0 && summary.webhooks == 0
        if isNothingChosen { return summary }
        // A description has no samples, so it gives no tests.
        let testFolder = samples.isEmpty ? nil : tests
        // All texts are generated before the first file is written: if one of them fails, the folders stay unchanged.
        let earlierPaths = try OutputFolder(folder).manifest().records.keys
        let writer = SourceWriter(plan: plan, filter: filter, earlierPaths: Set(earlierPaths))
        let sources = try writer.files { progress(.generating($0)) }
        var testFiles: [SourceFile] = []
        if testFolder != nil { testFiles = try TestWriter(plan: plan, samples: samples, filter: filter).files() }
        try write(sources, into: folder, addingTo: &summary)
        if let testFolder { try write(testFiles, into: testFolder, addingTo: &summary) }
        return summary
    }

    /// Creates a summary with what is known before files are written: the numbers of endpoints, and the notes on parts
    /// of the source that the code does not represent as described.
    private func summary(of plan: Plan, _ filter: Filter) -> Summary {
        var summary = Summary()
        // Operations that cannot be read are found too.
        summary.found = plan.endpoints.count + plan.api.skippedOperations.count
        summary.written = plan.endpoints.count { filter.matches($0.endpoint) }
        summary.webhooks = plan.webhooks.count { filter.matches($0.webhook) }
        let lines = SummaryLines(filter.notes(of: plan))
        summary.notes = listsEachNote ? lines.ofEachNote : lines.ofEachKind
        let operations = plan.endpoints.map(\.endpoint) + plan.api.skippedOperations
        let unused = filter.termsWithoutMatch(operations, plan.webhooks.map(\.webhook))
        summary.notes += unused.map { "not found: --only \($0.visible.debugDescription) selects nothing" }
        return summary
    }

    /// Writes files into a folder. The summary lists the conflicts, and counts all other outcomes.
    private func write(_ files: [SourceFile], into folder: URL, addingTo summary: inout Summary) throws {
        // If only some endpoints are written, the files of the others stay.
        let writesAllEndpoints = only.isEmpty
        let outcomes = try OutputFolder(folder).write(files, removesOthers: writesAllEndpoints, conflictPolicy) {
            progress(.writing($0))
        }
        for outcome in outcomes {
            switch outcome {
            case .created: summary.files["created", default: 0] += 1
            case .updated: summary.files["updated", default: 0] += 1
            case .unchanged: summary.files["unchanged", default: 0] += 1
            case .removed: summary.files["removed", default: 0] += 1
            case .conflict(let report):
                summary.conflicts += 1
                summary.conflictLines.append("conflict: \(report.headline)")
                summary.conflictLines += report.difference.map { "    \($0)" }
            case .ignoredLine(let number):
                let manifest = folder.appending(path: ".apikit").path(percentEncoded: false).visible
                summary.conflictLines.append(
                    "ignored: \(manifest), line \(number), does not name a file that apikit writes")
            }
        }
    }

    private var conflictPolicy: FileAction.Policy {
        switch editedFiles {
        case .report: .report
        case .keep: .keep
        case .overwrite: .overwrite
        }
    }

    // MARK: - Reading

    /// Reads a source and plans its code. The samples are recorded exchanges for tests; a description has none.
    ///
    /// A file with the extension `har` is a recording. Any other file is a description, which the ``recording``
    /// corrects if there is one.
    func prepared(_ source: URL) throws -> (plan: Plan, samples: [String: RecordingReader.Sample]) {
        progress(.reading)
        let isRecording = source.pathExtension.lowercased() == "har"
        if isRecording {
            let reader = try RecordingReader(Archive(source), title: name)
            progress(.planning)
            return (Plan(reader.api, options: options), reader.samples)
        }
        var api = try APIReader.read(Documents(source, allowsOutside: allowsOutside), behaviorModel: behaviorModel)
        if let recording { api = Correction.correcting(api, by: try Archive(recording)) }
        progress(.planning)
        return (Plan(api, options: options), [:])
    }

    private var options: Plan.Options {
        Plan.Options(
            name: name, isPublic: isPublic || writesMethods, hasMethods: writesMethods, isCodable: isCodable,
            writesOAuthSource: writesOAuthSource)
    }

    /// The plan for a description that no recording corrects.
    static func plan(_ source: URL, options: Plan.Options) throws -> Plan {
        Plan(try APIReader.read(Documents(source)), options: options)
    }
}
