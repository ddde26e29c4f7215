import APIKitCore

/// The URL or the path of operations, with values in it: `/files/{id}.json`.
struct PathTemplate: Sendable {
    typealias Value = (name: String, text: String)

    private enum Part: Sendable, Equatable {
        case literal(String)
        case value(String)
    }

    private var parts: [Part] = []
    /// How many slashes the text has.
    let slashCount: Int
    /// How many characters are not those of values.
    let literalCount: Int

    init(_ text: String) {
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.literal(Self.normalized(rest[..<open]))) }
            parts.append(.value(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.literal(Self.normalized(rest))) }
        let literals = parts.map { if case .literal(let text) = $0 { text } else { "" } }.joined()
        slashCount = literals.utf8.count { $0 == UInt8(ascii: "/") }
        literalCount = literals.utf8.count
    }

    static func normalized(_ text: some StringProtocol) -> String {
        text.normalizingPercentEncoding(preserving: "/")
    }

    /// The values in a text in its normal form, which may hold slashes; nil if it does not match.
    func values(in text: String, crossesSlashes: Bool) -> [Value]? {
        var (values, rest): ([Value], Substring) = ([], text[...])
        for (index, part) in parts.enumerated() {
            switch part {
            case .literal(let literal):
                guard rest.hasPrefix(literal) else { return nil }
                rest = rest.dropFirst(literal.count)
            case .value(let name):
                let value = value(before: index + 1, in: rest)
                guard !value.isEmpty, crossesSlashes || !value.contains("/") else { return nil }
                values.append((name, value.percentDecoded))
                rest = rest[value.endIndex...]
            }
        }
        return rest.isEmpty ? values : nil
    }

    /// The start of a text up to where the next part begins; empty if it does not.
    private func value(before next: Int, in text: Substring) -> Substring {
        guard next < parts.count else { return text }
        guard case .literal(let literal) = parts[next] else { return text.prefix(1) }
        if next == parts.count - 1 { return text.hasSuffix(literal) ? text.dropLast(literal.count) : "" }
        return text.firstRange(of: literal).map { text[..<$0.lowerBound] } ?? ""
    }
}

extension StringProtocol {
    /// The text with each `%XX` decoded.
    var percentDecoded: String {
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], Array(utf8)[...])
        while let (byte, _) = rest.popPercentDecoded() { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
