/// What the runs of `apikit` have written into a folder: the file `.apikit` in it.
///
/// Each line has the digest of the text that was generated for a file, and its path:
///
///     0f1e2d3c4b5a6978 Models/Order.swift                      the text of the file, unless the user edited it
///     0f1e2d3c4b5a6978 !8796a5b4c3d2e1f0 Models/Order.swift    a conflict: the edited file has the second digest
///     0f1e2d3c4b5a6978 !missing Models/Order.swift             a conflict: the file was deleted
///     0f1e2d3c4b5a6978 !unreadable Models/Order.swift          a conflict: the file is not text
///     0f1e2d3c4b5a6978 !missing 5a6978… Models/Order.swift     a conflict, and digests of texts generated before it
///     - !8796a5b4c3d2e1f0 Models/Order.swift                   a conflict: nothing is generated for the edited file
///     0f1e2d3c4b5a6978 + Models/Order.swift                    a run was about to create the file
///
/// A path may be in several lines, after an interrupted run and after a merge of two versions of the manifest. Each of
/// the digests then stands for a generated text. A line that begins with `#` is a comment.
struct Manifest: Equatable {
    /// What is known of a file.
    enum Record: Equatable {
        /// The file was generated with the text of one of these digests, or the user prefers another text to it.
        case generated(Set<TextDigest>)
        /// A run was about to create the file with a text.
        case planned(TextDigest)
        /// The user was told of a conflict between a generated text and the file with some content. The digest is nil
        /// if nothing is generated for the file any more. The earlier texts are those that were generated before that:
        /// if the file has one of them again, the user has taken the edits back.
        case conflict(generated: TextDigest?, file: FileContent, earlier: Set<TextDigest> = [])

        /// Creates the record of a conflict.
        ///
        /// - Parameters:
        ///   - generated: The digest of the generated text; nil if nothing is generated for the file any more.
        ///   - file: The content of the file.
        ///   - record: What was known of the file before.
        /// - Returns: The record.
        static func conflict(_ generated: TextDigest?, with file: FileContent, after record: Record?) -> Record {
            var earlier = record?.generatedTexts ?? []
            if let generated { earlier.remove(generated) }
            return .conflict(generated: generated, file: file, earlier: earlier)
        }

        /// The digests of all texts that are known to have been generated for the file.
        var generatedTexts: Set<TextDigest> {
            switch self {
            case .generated(let digests): return digests
            case .planned: return []
            case .conflict(let generated, _, let earlier):
                guard let generated else { return earlier }
                return earlier.union([generated])
            }
        }
    }

    /// What is known of each file.
    var records: [GeneratedPath: Record] = [:]
    /// The numbers of the lines that cannot be read. A line may name a path outside of the folder, for example.
    private(set) var ignoredLines: [Int] = []

    /// Creates the manifest of a new folder.
    init() {}

    /// Reads the text of a manifest, with any line endings. The lines with which Git marks a merge conflict are left
    /// out.
    init(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let isMarkOfGit = ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].contains { line.hasPrefix($0) }
            if line.isEmpty || line.hasPrefix("#") || isMarkOfGit { continue }
            if let (path, record) = Self.record(in: line) {
                add(record, for: path)
            } else {
                ignoredLines.append(index + 1)
            }
        }
    }

    /// The text of the manifest: a comment, and the lines of the records, sorted by path.
    var text: String {
        var lines = ["# What `apikit` generated here: it does not overwrite files that have changed since."]
        for (path, record) in records.sorted(by: { $0.key < $1.key }) {
            lines += Self.fields(of: record).map { "\($0) \(path.text)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Adds what another line says of a file. A text that was generated counts more than a conflict about the file,
    /// which one side of a merge has solved.
    private mutating func add(_ record: Record, for path: GeneratedPath) {
        switch (records[path], record) {
        case (.generated(let digests), .generated(let others)): records[path] = .generated(digests.union(others))
        case (.generated, _): break
        default: records[path] = record
        }
    }

    // MARK: - Lines

    private static let plannedMark = "+"
    private static let conflictMark = "!"
    private static let noDigest = "-"

    /// Reads a line; nil if it has another form.
    private static func record(in line: Substring) -> (GeneratedPath, Record)? {
        let fields = line.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = fields.first, let last = fields.last, let path = GeneratedPath(String(last)) else {
            return nil
        }
        let digest = TextDigest(first)
        switch fields.count {
        case 2:
            return digest.map { (path, .generated([$0])) }
        case 3 where fields[1] == plannedMark:
            return digest.map { (path, .planned($0)) }
        case 3... where fields[1].hasPrefix(conflictMark):
            guard digest != nil || first == noDigest, let file = FileContent(fields[1].dropFirst()) else { return nil }
            let earlierFields = fields[2..<fields.count - 1]
            let earlier = earlierFields.compactMap { TextDigest($0) }
            guard earlier.count == earlierFields.count else { return nil }
            return (path, .conflict(generated: digest, file: file, earlier: Set(earlier)))
        default:
            return nil
        }
    }

    /// The lines of a record, without the path.
    private static func fields(of record: Record) -> [String] {
        switch record {
        case .generated(let digests): digests.map(\.description).sorted()
        case .planned(let digest): ["\(digest) \(plannedMark)"]
        case .conflict(let digest, let file, let earlier):
            [
                ([digest?.description ?? noDigest, "\(conflictMark)\(file)"] + earlier.map(\.description).sorted())
                    .joined(separator: " ")
            ]
        }
    }
}

/// The content of a file, as a manifest remembers it.
enum FileContent: Hashable {
    case missing
    case text(TextDigest)
    /// The file is not text, or something else has its path.
    case unreadable

    /// Reads a content from a manifest.
    init?(_ text: Substring) {
        switch text {
        case "missing": self = .missing
        case "unreadable": self = .unreadable
        default:
            guard let digest = TextDigest(text) else { return nil }
            self = .text(digest)
        }
    }
}

extension FileContent: CustomStringConvertible {
    /// The content in a manifest.
    var description: String {
        switch self {
        case .missing: "missing"
        case .text(let digest): digest.description
        case .unreadable: "unreadable"
        }
    }
}
