import APIKitCore
import APIKitSupport
import OpenAPIRules

/// A template for the origin or the path of a URL, in which values are named in braces: `/files/{id}.json`.
struct PathTemplate: Sendable {
    /// The text of a URL at the place of a name in braces.
    struct Value {
        let name: String
        let text: String
    }

    /// The literal text before the first value.
    private let start: String
    private let pieces: [Piece]

    /// The name of a value, and the literal text up to the next value or the end.
    private struct Piece {
        let name: String
        let literal: String
    }

    private var literals: String { start + pieces.map(\.literal).joined() }
    var slashCount: Int { literals.slashCount }
    var literalCount: Int { literals.utf8.count }

    /// Splits a template at its braces: `/a/{b}/c` starts with `/a/`, and has one piece, the name `b` with the literal
    /// text `/c` after it.
    init(_ text: some StringProtocol) {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        start = Self.normalized(parts[0])
        pieces = parts.dropFirst().map { part in
            let name = part.prefix { $0 != "}" }
            let literal = part.dropFirst(name.count + 1)
            return Piece(name: String(name), literal: Self.normalized(literal))
        }
    }

    /// The normal form of percent-encoding, in which equal texts can be compared.
    static func normalized(_ text: some StringProtocol) -> String {
        String(text).normalizingPercentEncoding(preserving: "/")
    }

    /// Splits a URL into its origin and its path: `https://a.example` and `/b`. The origin of a path alone is empty.
    static func split(_ url: Substring) -> (origin: Substring, path: Substring) {
        let start = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        let slash = url[start...].firstIndex(of: "/") ?? url.endIndex
        return (url[..<slash], url[slash...])
    }

    /// Matches a text with the template.
    ///
    /// - Parameters:
    ///   - text: An origin or a path in its normal form.
    ///   - crossesSlashes: Whether values may contain slashes, so that `/a/{b}` matches `/a/1/2`.
    /// - Returns: The values; nil if the text does not match.
    func values(in text: Substring, crossesSlashes: Bool = false) -> [Value]? {
        guard text.hasPrefix(start) else { return nil }
        var values: [Value] = []
        var rest = text.dropFirst(start.count)
        for (index, piece) in pieces.enumerated() {
            let isLast = index == pieces.count - 1
            guard let value = Self.value(in: rest, before: piece.literal, isLast: isLast) else { return nil }
            if value.contains("/"), !crossesSlashes { return nil }
            values.append(Value(name: piece.name, text: value.percentDecoded))
            // The value is the beginning of `rest`, and the literal follows it.
            rest = rest[value.endIndex...].dropFirst(piece.literal.count)
        }
        return rest.isEmpty ? values : nil
    }

    /// Whether a text matches the template. Values may contain slashes: the origin `https://a.example` matches `{any}`.
    func matches(_ text: Substring) -> Bool { values(in: text, crossesSlashes: true) != nil }

    /// The value at the start of a text, up to the literal that follows it: `1` in `1/photos` before `/photos`. Nil if
    /// the literal does not follow, or if the value would be empty.
    ///
    /// The value ends before the first occurrence of the literal; the last value ends before the literal at the end of
    /// the text. If another value follows directly, without a literal, the value is a single character.
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
    /// The number of slashes after the first other character.
    var slashCount: Int { drop { $0 == "/" }.utf8.count { $0 == UInt8(ascii: "/") } }
}
