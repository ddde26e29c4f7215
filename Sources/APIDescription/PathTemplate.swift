import APIKitCore

/// The origin or the path of a URL, with values in it: `/files/{id}.json`.
struct PathTemplate: Sendable {
    typealias Value = (name: String, text: String)

    /// The text before each value, and after the last one.
    private var literals: [String] = []
    private var names: [String] = []

    var slashCount: Int { literals.joined().slashCount }
    var literalCount: Int { literals.joined().utf8.count }

    init(_ text: some StringProtocol) {
        for piece in "}\(text)".split(separator: "{", omittingEmptySubsequences: false) {
            let name = piece.prefix { $0 != "}" }
            if !literals.isEmpty { names.append(String(name)) }
            literals.append(Self.normalized(piece.dropFirst(name.count + 1)))
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
        guard text.hasPrefix(literals[0]) else { return nil }
        var (values, rest): ([Value], Substring) = ([], text.dropFirst(literals[0].count))
        for (name, literal) in zip(names, literals.dropFirst()) {
            let value =
                if values.count == names.count - 1 {
                    rest.hasSuffix(literal) ? rest.dropLast(literal.count) : ""
                } else {
                    literal.isEmpty ? rest.prefix(1) : rest.firstRange(of: literal).map { rest[..<$0.lowerBound] } ?? ""
                }
            guard !value.isEmpty, crossesSlashes || !value.contains("/") else { return nil }
            values.append((name, value.percentDecoded))
            rest = rest[value.endIndex...].dropFirst(literal.count)
        }
        return rest.isEmpty ? values : nil
    }
}

extension StringProtocol {
    /// How many slashes the text has, without those at its start.
    var slashCount: Int { drop { $0 == "/" }.utf8.count { $0 == UInt8(ascii: "/") } }

    /// The text with each `%XX` decoded.
    var percentDecoded: String {
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(utf8)[...])
        while let (byte, _) = rest.popPercentDecoded() { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
