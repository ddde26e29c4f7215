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
    let entries: [Range<Int>]
    /// The offset after the last entry, where another one can be added.
    var insertion: Int
    /// Whether there is no entry yet.
    var isEmpty: Bool
    /// The bytes after the last entry.
    let tail: Data

    /// The layout of a new file.
    init() {
        self.init(entries: [], end: Self.head.utf8.count, tail: Data(Self.tail.utf8))
    }

    /// Creates the layout of a file with the given entries.
    ///
    /// - Parameters:
    ///   - entries: The byte ranges of the entries.
    ///   - end: The offset after the last entry.
    ///   - tail: The bytes after the last entry, which close the file.
    private init(entries: [Range<Int>], end: Int, tail: Data) {
        self.entries = entries
        self.tail = tail
        insertion = end
        isEmpty = entries.isEmpty
    }

    /// Finds the entries of a HAR file.
    ///
    /// The file may be cut off, since a program may have ended while it wrote an entry. Then the complete entries are
    /// found.
    ///
    /// - Parameters:
    ///   - data: The contents of the file.
    ///   - url: The location of the file, for error messages.
    /// - Throws: ``ContentError`` if the file is not a HAR in UTF-8.
    init(_ data: Data, of url: URL) throws(ContentError) {
        switch Self.format(of: data) {
        case .har: try self.init(complete: data, of: url)
        case .invalidJSON(let problem): try self.init(cutOff: data, of: url, problem)
        case .otherJSON(let problem): throw Self.notReadable(url, problem)
        }
    }

    /// Finds the entries of a file that `JSONDecoder` can read as a HAR.
    private init(complete data: Data, of url: URL) throws(ContentError) {
        let bytes = Array(data)
        let scan = EntryScan(bytes)
        guard let end = scan.endOfEntries else {
            // `JSONDecoder` also reads UTF-16, in which the scan finds nothing.
            throw Self.notReadable(url, "it is not in UTF-8")
        }
        self.init(entries: scan.entries, end: end, tail: Data(bytes[end...]))
    }

    /// Finds the complete entries of a file that is cut off. It becomes a HAR if the tail of a new file is added after
    /// the last complete entry.
    ///
    /// - Throws: ``ContentError`` with the problem of the file if it is not cut off, but invalid for another reason.
    private init(cutOff data: Data, of url: URL, _ problem: String) throws(ContentError) {
        let scan = EntryScan(Array(data))
        guard let end = scan.endOfEntries, scan.isInsideFile, Self.isCompletedByTail(data.prefix(end)) else {
            throw Self.notReadable(url, problem)
        }
        self.init(entries: scan.entries, end: end, tail: Data(Self.tail.utf8))
    }

    private static func notReadable(_ url: URL, _ problem: String) -> ContentError {
        ContentError(.invalidRecording, "\(url.path) is not a HAR that can be read: \(problem)")
    }

    /// Whether the beginning of a file, up to its last complete entry, becomes a HAR with the tail of a new file.
    private static func isCompletedByTail(_ beginning: Data) -> Bool {
        switch format(of: beginning + Data(tail.utf8)) {
        case .har: true
        case .otherJSON, .invalidJSON: false
        }
    }

    /// The format of a file's contents.
    private enum Format {
        /// A complete HAR.
        case har
        /// JSON that is not a HAR.
        case otherJSON(problem: String)
        /// Invalid JSON, such as a HAR that is cut off.
        case invalidJSON(problem: String)
    }

    /// Finds out the format of a file by decoding it as a HAR.
    private static func format(of data: Data) -> Format {
        do {
            _ = try JSONDecoder().decode(HAR.self, from: data)
            return .har
        } catch DecodingError.dataCorrupted(let context) {
            return .invalidJSON(problem: ErrorText.of(DecodingError.dataCorrupted(context)))
        } catch {
            return .otherJSON(problem: ErrorText.of(error))
        }
    }

    private struct HAR: Decodable {
        struct Log: Decodable { let entries: [Entry] }

        struct Entry: Decodable { init(from decoder: any Decoder) {} }

        let log: Log
    }
}

/// Finds the entries of a HAR, `{"log": {"entries": [{ … }, { … }]}}`, among its tokens.
private struct EntryScan {
    /// The values of `depth` after each opening bracket of `{"log": {"entries": [{`.
    private enum Depth {
        /// Within the first `{`.
        static let file = 1
        /// Within the `{` after `"log":`.
        static let log = 2
        /// Within the `[` after `"entries":`, which is the list of entries.
        static let entries = 3
        /// Within the `{` of an entry.
        static let entry = 4
    }

    private(set) var entries: [Range<Int>] = []
    /// The offset after the last entry, or after the opening bracket of an empty list of entries; nil if no such list
    /// was found.
    private(set) var endOfEntries: Int?
    /// The number of open objects and lists.
    private var depth = 0
    /// The last string outside of the entries. It is the name of a member if a colon follows.
    private var lastString: Range<Int>?
    private var isInLog = false
    private var isInEntries = false
    private var startOfEntry = 0
    private let bytes: [UInt8]

    /// Finds the entries in the bytes of a file, which may be cut off.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        for token in JSONTokens(bytes) { read(token) }
    }

    /// Whether the outermost object is still open, as at the end of a file that is cut off.
    var isInsideFile: Bool { depth > 0 }

    /// Handles the next token of the file, and adds the entry that it ends, if it ends one.
    ///
    /// Only three kinds of tokens matter: strings, since one of them is the name `log` or `entries`; the colon after
    /// the name `log`; and brackets. In `{"log": {"entries": [{`, the depth is 1 after the first bracket, 2 in the log,
    /// 3 in the list of entries, and 4 in an entry. An array or object counts as open at both of its brackets.
    private mutating func read(_ token: JSONTokens.Token) {
        switch token.kind {
        case .string:
            let mayBeNameOfLogOrEntries = depth <= Depth.log
            if mayBeNameOfLogOrEntries { lastString = token.range }
        case .colon:
            let isMemberOfFile = depth == Depth.file
            if isMemberOfFile { isInLog = isLastString("log") }
        case .open:
            depth += 1
            begin(token.range)
        case .close:
            end(token.range)
            depth -= 1
        case .comma, .scalar:
            break
        }
    }

    /// Handles the opening bracket of an object or a list: begins the list of entries, or an entry. The bracket already
    /// counts for `depth`.
    private mutating func begin(_ bracket: Range<Int>) {
        let isList = bytes[bracket.lowerBound] == UInt8(ascii: "[")
        // A list or an object that is the value of a member of the log has the same depth as the list of entries.
        let isMemberOfLog = isInLog && depth == Depth.entries
        if isList, isMemberOfLog, isLastString("entries") {
            // JSON decoders use the last member if a name appears twice, so a second list replaces the first one.
            isInEntries = true
            entries = []
            endOfEntries = bracket.upperBound
        } else if isInEntries, depth == Depth.entry {
            startOfEntry = bracket.lowerBound
        }
    }

    /// Handles the closing bracket of an object or a list: ends an entry, or the list of entries. What the bracket
    /// closes still counts for `depth`.
    private mutating func end(_ bracket: Range<Int>) {
        guard isInEntries else { return }
        if depth == Depth.entry {
            entries.append(startOfEntry..<bracket.upperBound)
            endOfEntries = bracket.upperBound
        } else if depth == Depth.entries {
            isInEntries = false
        }
    }

    /// Whether the last string is a text: the name of the member that begins here.
    private func isLastString(_ text: String) -> Bool {
        guard let lastString else { return false }
        return bytes[lastString].elementsEqual("\"\(text)\"".utf8)
    }
}
