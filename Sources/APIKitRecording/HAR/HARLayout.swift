import APIKitCore

/// The byte ranges of the entries in a HAR, and the offset at which the next entry is inserted.
struct HARLayout: Sendable {
    /// The beginning of a new file.
    static let head = """
        {
          "log": {
            "version": "1.2",
            "creator": {
              "name": "APIKit",
              "version": "1"
            },
            "entries": [
        """
    /// The text after the last entry of a new file. It also completes a file that is cut off.
    static let tail = "\n    ]\n  }\n}\n"

    /// The byte ranges of the entries that the file had when it was read.
    private(set) var entries: [Range<Int>] = []
    /// The offset after the last entry, where another one can be added.
    var insertion = head.utf8.count
    /// Whether there is no entry yet.
    var isEmpty = true
    /// The bytes after the last entry.
    private(set) var tail = Data(Self.tail.utf8)

    /// The layout of a new file.
    init() {}

    /// Finds the entries of a HAR. If the file is cut off, finds those that are complete.
    ///
    /// - Throws: ``ContentError`` if the bytes are not a HAR in UTF-8.
    init(_ data: Data, of url: URL) throws(ContentError) {
        let problem = Self.problem(of: data)
        // Invalid JSON may come from a write that was cut off. With any other problem, the JSON is not a HAR.
        var isCutOff = false
        if case DecodingError.dataCorrupted? = problem { isCutOff = true }
        let invalid = Self.invalid(url, problem.map(ErrorText.of) ?? "it is not in UTF-8")
        if problem != nil, !isCutOff { throw invalid }

        let bytes = Array(data)
        var scan = EntryScan(bytes)
        for token in JSONTokens(bytes) { scan.read(token) }
        guard let end = scan.endOfEntries else { throw invalid }
        if isCutOff {
            let completed = data.prefix(end) + tail
            let isReadable = scan.isInsideFile && Self.problem(of: completed) == nil
            guard isReadable else { throw invalid }
        } else {
            tail = Data(bytes[end...])
        }
        entries = scan.entries
        insertion = end
        isEmpty = entries.isEmpty
    }

    private static func invalid(_ url: URL, _ problem: String) -> ContentError {
        ContentError(.invalidRecording, "\(url.path) is not a HAR that can be read: \(problem)")
    }

    /// Returns the error of decoding the bytes as a HAR; nil if they are one.
    private static func problem(of data: Data) -> (any Error)? {
        do {
            _ = try JSONDecoder().decode(HAR.self, from: data)
            return nil
        } catch {
            return error
        }
    }

    private struct HAR: Decodable {
        struct Log: Decodable { let entries: [Entry] }

        struct Entry: Decodable { init(from decoder: any Decoder) {} }

        let log: Log
    }
}

/// Finds the entries of a HAR, `{"log": {"entries": [ … ]}}`, among its tokens.
private struct EntryScan {
    /// The number of open objects and lists inside each part of a HAR.
    private enum Depth {
        static let file = 1
        static let log = 2
        static let list = 3
        static let entry = 4
    }

    private(set) var entries: [Range<Int>] = []
    /// The offset after the last entry, or after the opening bracket of an empty list of entries; nil if no such list
    /// was found.
    private(set) var endOfEntries: Int?
    /// The number of open objects and lists.
    private var depth = 0
    /// The last string outside of the entries. It is the name of a member if a colon follows.
    private var name: Range<Int>?
    private var isInLog = false
    private var isInEntries = false
    private var entryStart = 0
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether the outermost object is still open, as at the end of a file that is cut off.
    var isInsideFile: Bool { depth > 0 }

    mutating func read(_ token: JSONTokens.Token) {
        switch token.kind {
        case .string:
            if depth <= Depth.log { name = token.range }
        case .colon:
            if depth == Depth.file { isInLog = isNamed("log") }
        case .open:
            depth += 1
            enterContainer(openedBy: token.range)
        case .close:
            depth -= 1
            leaveContainer(closedBy: token.range)
        case .comma, .scalar:
            break
        }
    }

    /// Handles an opening bracket, after `depth` has counted it: that of the list of entries, or of one entry.
    private mutating func enterContainer(openedBy bracket: Range<Int>) {
        let isList = bytes[bracket.lowerBound] == UInt8(ascii: "[")
        let isMemberOfLog = isInLog && depth == Depth.list
        if isList, isMemberOfLog, isNamed("entries") {
            // JSON decoders use the last member if a name appears twice, so a second list replaces the first one.
            isInEntries = true
            entries = []
            endOfEntries = bracket.upperBound
        } else if depth == Depth.entry {
            entryStart = bracket.lowerBound
        }
    }

    /// Handles a closing bracket, after `depth` has counted it: that of the list of entries, or of one entry.
    private mutating func leaveContainer(closedBy bracket: Range<Int>) {
        if depth == Depth.log {
            isInEntries = false
        } else if depth == Depth.list, isInEntries {
            entries.append(entryStart..<bracket.upperBound)
            endOfEntries = bracket.upperBound
        }
    }

    /// Whether the last name is the given one.
    private func isNamed(_ text: String) -> Bool {
        guard let name else { return false }
        return bytes[name].elementsEqual("\"\(text)\"".utf8)
    }
}
