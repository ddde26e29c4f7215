import APIKitCore

/// The origin or the path of a URL, with values in it: `/files/{id}.json`.
struct PathTemplate: Sendable {
    /// A value that a URL has in the place of a name.
    struct Value {
        let name: String
        let text: String
    }

    /// The text before the first value.
    private let start: String
    /// The values, each with the literal text that follows it.
    private let pieces: [Piece]

    private struct Piece {
        let name: String
        let literal: String
    }

    private var literals: String { start + pieces.map(\.literal).joined() }
    var slashCount: Int { literals.slashCount }
    var literalCount: Int { literals.utf8.count }

    init(_ text: some StringProtocol) {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        start = Self.normalized(parts[0])
        pieces = parts.dropFirst().map { part in
            let name = part.prefix { $0 != "}" }
            let literal = part.dropFirst(name.count + 1)
            return Piece(name: String(name), literal: Self.normalized(literal))
        }
    }

    static func normalized(_ text: some StringProtocol) -> String {
        text.normalizingPercentEncoding(preserving: "/")
    }

    /// The origin of a URL, which may be missing, and its path.
    static func split(_ url: Substring) -> (origin: Substring, path: Substring) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let slash = url[start...].firstIndex(of: "/") ?? url.endIndex
        return (url[..<slash], url[slash...])
    }

    /// The values in a text in its normal form; nil if it does not match.
    func values(in text: Substring, crossesSlashes: Bool = false) -> [Value]? {
        guard text.hasPrefix(start) else { return nil }
        var values: [Value] = []
        var rest = text.dropFirst(start.count)
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            guard let value = Self.value(in: rest, before: piece.literal, isLast: isLast) else { return nil }
            if value.contains("/"), !crossesSlashes { return nil }
            values.append(Value(name: piece.name, text: value.percentDecoded))
            rest = rest[value.endIndex...].dropFirst(piece.literal.count)
        }
        return rest.isEmpty ? values : nil
    }

    /// The value at the start of a text, which goes up to a literal; nil if there is none. The last value takes all
    /// that the literal at the end leaves.
    private static func value(in text: Substring, before literal: String, isLast: Bool) -> Substring? {
        let value: Substring
        if isLast {
            guard text.hasSuffix(literal) else { return nil }
            value = text.dropLast(literal.count)
        } else if literal.isEmpty {
            value = text.prefix(1)
        } else {
            guard let end = text.firstRange(of: literal) else { return nil }
            value = text[..<end.lowerBound]
        }
        return value.isEmpty ? nil : value
    }
}

extension StringProtocol {
    /// How many slashes the text has, without those at its start.
    var slashCount: Int { drop { $0 == "/" }.utf8.count { $0 == UInt8(ascii: "/") } }

    /// The text with each `%XX` decoded.
    var percentDecoded: String {
        var decoded: [UInt8] = []
        var rest = Array(utf8)[...]
        while let (byte, _) = rest.popPercentDecoded() { decoded.append(byte) }
        return String(decoding: decoded, as: UTF8.self)
    }
}
