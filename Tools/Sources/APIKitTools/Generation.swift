public import Foundation

/// Endpoints from a description: all steps, one after the other.
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

    /// Creates a generation for an API, whose name becomes that of a type: `GitHub` of "git-hub".
    ///
    /// - Throws: An error if the name cannot begin that of a type.
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

    /// What was done.
    public struct Summary {
        /// The number of endpoints in the source, with the operations that cannot be read.
        public var found = 0
        /// The number of endpoints written. If it is zero, no file is written or removed.
        public var written = 0
        /// One line for each file that was not overwritten, and what would change.
        public var kept: [String] = []
        /// One line for everything that cannot be kept.
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
        var summary = Summary(found: plan.endpoints.count + plan.api.skippedOperations)
        summary.written = plan.endpoints.filter { filter.matches($0.endpoint) }.count
        summary.notes = Set(plan.api.notes.map { "\($0.kind.rawValue): \($0.text), \($0.place)".visible }).sorted()
        guard summary.written > 0 else { return summary }
        var outputs = [(folder, try SourceWriter(plan: plan, filter: filter).files())]
        if let tests, !samples.isEmpty {
            outputs.append((tests, try TestWriter(plan: plan, samples: samples, filter: filter).files()))
        }
        for (folder, files) in outputs {
            var output = OutputFolder(folder)
            let outcomes = try output.write(files, removesOthers: filter.isEmpty, overwritesEdited: overwritesEdited)
            for (path, outcome) in outcomes {
                if case .kept(let lines) = outcome {
                    summary.kept += ["\(path) was edited, and would change:"] + lines.map { "    \($0)" }
                } else {
                    summary.files["\(outcome)", default: 0] += 1
                }
            }
        }
        return summary
    }

    /// The plan of a description or a recording, with samples for the tests of a recording.
    func prepared(_ source: URL) throws -> (plan: Plan, samples: [String: RecordingReader.Sample]) {
        guard source.pathExtension.lowercased() != "har" else {
            let reader = try RecordingReader(Archive(source), title: name)
            return (Plan(reader.api, options: options), reader.samples)
        }
        var api = try APIReader.read(Documents(source, allowsOutside: allowsOutside))
        if let recording { api = Correction.correcting(api, by: try Archive(recording)) }
        return (Plan(api, options: options), [:])
    }

    private var options: Plan.Options { Plan.Options(name: name, isPublic: isPublic, isCodable: isCodable) }

    static func plan(_ source: URL, options: Plan.Options) throws -> Plan {
        Plan(try APIReader.read(Documents(source)), options: options)
    }
}
