public import Foundation

/// Generates endpoints from a description or a recording.
public struct Generation {
    /// The name of the API, such as `GitHub`.
    public let name: String
    /// The endpoints to write: paths, tags and names of operations; all if empty.
    public var only: [String] = []
    /// Whether endpoints and models are public.
    public var isPublic = false
    /// Whether models that are only read can be encoded too.
    public var isCodable = false
    /// Whether files that were edited are overwritten.
    public var overwritesEdited = false
    /// A recording that corrects the description.
    public var recording: URL?
    /// Whether references of the description may lead to files outside of its folder.
    public var allowsOutside = false
    /// The folder for the tests of a recording's endpoints.
    public var tests: URL?

    /// Creates a generation for an API. The name is converted to that of a type: "git-hub" becomes `GitHub`.
    ///
    /// - Throws: An error if the names of types cannot begin with the name.
    public init(name: String) throws {
        let isType = name.first?.isUppercase == true && name.allSatisfy { $0.isLetter || $0.isNumber }
        self.name = isType ? name : SwiftName.type(name)
        guard name.contains(where: \.isLetter), !SwiftName.reservedTypes.contains("\(self.name)Request") else {
            throw NameError(name: name)
        }
    }

    private struct NameError: Error, CustomStringConvertible {
        let name: String
        var description: String { "\"\(name)\" cannot be the name of an API: choose another one with --name" }
    }

    /// The results of a run.
    public struct Summary {
        /// The number of endpoints in the source, with the operations that cannot be read.
        public var found = 0
        /// The number of endpoints written. If it is zero, no file is written or removed.
        public var written = 0
        /// A line for each edited file that was not overwritten, followed by the lines that would change.
        public var kept: [String] = []
        /// One line for each part of the source that the code does not represent as described.
        public var notes: [String] = []
        /// How many files were created, updated, removed and left as they were.
        public var files: [String: Int] = [:]
    }

    /// Reads a description or a recording and writes the endpoints.
    ///
    /// - Throws: An error with file, line and path if the source cannot be read.
    public func run(_ source: URL, into folder: URL) throws -> Summary {
        let (plan, samples) = try prepared(source)
        let filter = Filter(only)
        var summary = summary(of: plan, filter)
        guard summary.written > 0 else { return summary }
        // All texts are generated before the first file is written: if one of them fails, the folder stays unchanged.
        let sources = try SourceWriter(plan: plan, filter: filter).files()
        var testFiles: [SourceFile] = []
        if tests != nil { testFiles = try TestWriter(plan: plan, samples: samples, filter: filter).files() }
        try write(sources, into: folder, &summary)
        if let tests, !samples.isEmpty { try write(testFiles, into: tests, &summary) }
        return summary
    }

    /// The counts and notes that are known before files are written.
    private func summary(of plan: Plan, _ filter: Filter) -> Summary {
        var summary = Summary()
        summary.found = plan.endpoints.count + plan.api.skippedOperations
        summary.written = plan.endpoints.count { filter.matches($0.endpoint) }
        let notes = plan.api.notes.map { note in "\(note.kind.rawValue): \(note.text), \(note.place)".visible }
        summary.notes = Set(notes).sorted()
        return summary
    }

    /// Writes files, and adds the outcomes to a summary.
    private func write(_ files: [SourceFile], into folder: URL, _ summary: inout Summary) throws {
        var output = OutputFolder(folder)
        let outcomes = try output.write(files, removesOthers: only.isEmpty, overwritesEdited: overwritesEdited)
        for (path, outcome) in outcomes {
            if case .kept(let changes) = outcome {
                summary.kept.append("\(path) was edited, and would change:")
                summary.kept += changes.map { "    \($0)" }
            } else {
                summary.files["\(outcome)", default: 0] += 1
            }
        }
    }

    // MARK: - Reading

    /// The plan for a recording, with samples for tests of its endpoints; or the plan for a description, corrected by a
    /// recording if there is one.
    func prepared(_ source: URL) throws -> (plan: Plan, samples: [String: RecordingReader.Sample]) {
        let isRecording = source.pathExtension.lowercased() == "har"
        if isRecording {
            let reader = try RecordingReader(Archive(source), title: name)
            return (Plan(reader.api, options: options), reader.samples)
        }
        var api = try APIReader.read(Documents(source, allowsOutside: allowsOutside))
        if let recording { api = Correction.correcting(api, by: try Archive(recording)) }
        return (Plan(api, options: options), [:])
    }

    private var options: Plan.Options {
        Plan.Options(name: name, isPublic: isPublic, isCodable: isCodable)
    }

    static func plan(_ source: URL, options: Plan.Options) throws -> Plan {
        Plan(try APIReader.read(Documents(source)), options: options)
    }
}
