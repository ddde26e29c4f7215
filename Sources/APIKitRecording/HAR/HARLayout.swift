import APIKitCore

/// The places of the entries in a HAR, and of the next one.
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
    /// What follows the last entry of a new file, and completes one that is cut off.
    static let tail = "\n    ]\n  }\n}\n"

    /// The places of the entries when the file was read.
    private(set) var entries: [Range<Int>] = []
    /// The offset after the last entry, where another one can be added.
    var insertion = head.utf8.count
    /// Whether there is no entry yet.
    var isEmpty = true
    /// What follows the last entry.
    private(set) var tail = Data(Self.tail.utf8)

    /// The layout of a new file.
    init() {}

    /// Finds the entries of a HAR. Of one that is cut off, the complete entries count.
    ///
    /// - Throws: ``ContentError`` if the bytes are not a HAR in UTF-8.
    init(_ data: Data, of url: URL) throws(ContentError) {
        let problem = Self.problem(of: data)
        // What is not JSON may be cut off, and any other problem means that it is not a HAR.
        var isCutOff = false
        if case DecodingError.dataCorrupted? = problem { isCutOff = true }
        let invalid = Self.invalid(url, problem.map(ErrorText.of) ?? "it is not in UTF-8")
        if problem != nil, !isCutOff { throw invalid }

        let bytes = Array(data)
        var scan = EntryScan(bytes)
        for token in JSONTokens(bytes) { scan.read(token) }
        guard let end = scan.end else { throw invalid }
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

    /// The error of a text that is not a HAR; nil if it is one.
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
    /// The depths inside of the parts of a HAR.
    private enum Depth {
        static let file = 1
        static let log = 2
        static let list = 3
        static let entry = 4
    }

    private(set) var entries: [Range<Int>] = []
    /// The offset after the last entry, or after the beginning of their list; nil if there is none.
    private(set) var end: Int?
    /// How many objects and lists are open.
    private var depth = 0
    /// The last string outside of the entries, which is a name if a colon follows.
    private var name: Range<Int>?
    private var isInLog = false
    private var isInEntries = false
    private var entryStart = 0
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether the tokens end before the object that is the whole file.
    var isInsideFile: Bool { depth > 0 }

    mutating func read(_ token: JSONTokens.Token) {
        switch token.kind {
        case .string:
            if depth <= Depth.log { name = token.range }
        case .colon:
            if depth == Depth.file { isInLog = isNamed("log") }
        case .open:
            depth += 1
            open(token.range)
        case .close:
            depth -= 1
            close(token.range)
        case .comma, .scalar:
            break
        }
    }

    private mutating func open(_ range: Range<Int>) {
        let isList = bytes[range.lowerBound] == UInt8(ascii: "[")
        if depth == Depth.list, isList, isInLog, isNamed("entries") {
            // Of several lists, the last one counts.
            isInEntries = true
            entries = []
            end = range.upperBound
        } else if depth == Depth.entry {
            entryStart = range.lowerBound
        }
    }

    private mutating func close(_ range: Range<Int>) {
        if depth == Depth.log {
            isInEntries = false
        } else if depth == Depth.list, isInEntries {
            entries.append(entryStart..<range.upperBound)
            end = range.upperBound
        }
    }

    private func isNamed(_ text: String) -> Bool {
        guard let name else { return false }
        return bytes[name].elementsEqual("\"\(text)\"".utf8)
    }
}
