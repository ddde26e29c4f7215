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
        let isCutOff = if case DecodingError.dataCorrupted? = problem { true } else { false }
        if let problem, !isCutOff { throw Self.invalid(url, ErrorText.of(problem)) }
        let bytes = Array(data)
        var (depth, start): (Int, Int) = (0, 0)
        var (name, isLog, isInEntries) = (Range<Int>?.none, false, false)
        var end: Int?
        for token in JSONTokens(bytes) {
            switch token.kind {
            case .string where depth <= 2: name = token.range
            case .colon where depth == 1: isLog = name.map { bytes[$0].elementsEqual(#""log""#.utf8) } ?? false
            case .open:
                depth += 1
                if depth == 4 { start = token.range.lowerBound }
                let isList = depth == 3 && isLog && bytes[token.range.lowerBound] == UInt8(ascii: "[")
                if isList, let name, bytes[name].elementsEqual(#""entries""#.utf8) {
                    (isInEntries, end, entries) = (true, token.range.upperBound, [])
                }
            case .close:
                depth -= 1
                if depth == 2 { isInEntries = false }
                if depth == 3, isInEntries {
                    end = token.range.upperBound
                    entries.append(start..<token.range.upperBound)
                }
            case .colon, .comma, .string, .scalar: break
            }
        }
        guard let end, !isCutOff || depth > 0 && Self.problem(of: data.prefix(end) + tail) == nil else {
            throw Self.invalid(url, problem.map(ErrorText.of) ?? "it is not in UTF-8")
        }
        (insertion, isEmpty) = (end, entries.isEmpty)
        if !isCutOff { tail = Data(bytes[end...]) }
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
