import APIKitCore
import APIKitTesting

/// Where a HAR can be continued.
struct HARLayout: Sendable {
    /// What a new file begins with.
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

    /// The offset after the last entry, where another one can be added.
    var insertion = head.utf8.count
    /// Whether there is no entry yet.
    var isEmpty = true
    /// What follows the last entry.
    var tail = Data(Self.tail.utf8)

    /// The layout of a new file.
    init() {}

    /// The layout of a HAR; nil if the bytes contain no list `log.entries`, or are neither valid JSON nor cut off.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - isValid: Whether the file is valid JSON. Otherwise it may be cut off, and the complete entries count.
    init?(_ bytes: [UInt8], isValid: Bool) {
        var depth = 0
        var (name, isLog, isInEntries) = (Range<Int>?.none, false, false)
        var end: Int?
        for token in JSONTokens(bytes) {
            switch token.kind {
            case .string where depth <= 2: name = token.range
            case .colon where depth == 1: isLog = name.map { bytes[$0].elementsEqual(#""log""#.utf8) } ?? false
            case .open:
                depth += 1
                let isList = depth == 3 && isLog && bytes[token.range.lowerBound] == UInt8(ascii: "[")
                if isList, let name, bytes[name].elementsEqual(#""entries""#.utf8) {
                    (isInEntries, end, isEmpty) = (true, token.range.upperBound, true)
                }
            case .close:
                depth -= 1
                if depth == 2 { isInEntries = false }
                if depth == 3, isInEntries { (end, isEmpty) = (token.range.upperBound, false) }
            case .colon, .comma, .string, .scalar: break
            }
        }
        guard let end, isValid || depth > 0 else { return nil }
        insertion = end
        if isValid { tail = Data(bytes[end...]) }
    }
}
