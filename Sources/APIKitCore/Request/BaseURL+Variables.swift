import APIKitSupport

// The variables in the path of a base URL, such as `{accountId}`.
extension BaseURL {
    /// Returns the URL with a value in place of a variable, percent-encoded as one segment. If that is not possible,
    /// the result has a ``problem``.
    func setting(_ name: String, to value: String) -> BaseURL {
        var bytes = Array(text.utf8)
        let occurrences = Self.variables(in: bytes[pathRange]).filter { $0.name == name }
        if occurrences.isEmpty { return failing("has no variable \(name.debugDescription) in its path") }
        if value.isEmpty { return failing("has an empty value for its variable \(name.debugDescription)") }
        var segment: [UInt8] = []
        segment.append(value, percentEncoded: .pathValue)
        // From the end, so that the ranges before a value stay valid.
        for occurrence in occurrences.reversed() { bytes.replaceSubrange(occurrence.range, with: segment) }
        return BaseURL(String(decoding: bytes, as: UTF8.self), faultOfVariable: faultOfVariable)
    }

    /// Returns the URL with one value in place of every variable of its path.
    func settingEveryVariable(to value: String) -> BaseURL {
        let names = Self.variables(in: Array(text.utf8)[pathRange]).map(\.name)
        return Set(names).reduce(self) { url, name in url.setting(name, to: value) }
    }

    /// Where the path is in the text; empty at the end of the root if the URL has no authority.
    private var pathRange: Range<Int> {
        guard let authorityStart = Self.startOfAuthority(in: root) else { return root.count..<root.count }
        return Self.end(of: root, from: authorityStart, upTo: UInt8(ascii: "/"))..<root.count
    }

    /// Returns the same URL with a problem, unless an earlier one is known.
    private func failing(_ fault: String) -> BaseURL {
        BaseURL(text, faultOfVariable: faultOfVariable ?? fault)
    }

    /// Returns why a URL that has variables is not valid; nil if it has none.
    static func problemOfVariables(inPath path: ArraySlice<UInt8>, others: [ArraySlice<UInt8>]) -> String? {
        let areElsewhere = others.contains { !variables(in: $0).isEmpty }
        if areElsewhere { return "has a variable outside of its path: only the path can have variables" }
        guard let name = variables(in: path).first?.name.debugDescription else { return nil }
        return "has no value for its variable \(name): give a client a base that has one, as in "
            + "`client.based(at: base.setting(\(name), to: 7))`, or pass such a base to `httpRequest(base:)` in a test "
            + "without a client"
    }

    private struct Variable {
        let name: String
        /// Where it is, with its braces.
        let range: Range<Int>
    }

    /// The variables of a part of a URL: names in braces, which are not empty and contain no slash.
    private static func variables(in part: ArraySlice<UInt8>) -> [Variable] {
        var variables: [Variable] = []
        var brace: Int?
        for position in part.indices {
            switch part[position] {
            case UInt8(ascii: "{"):
                brace = position
            case UInt8(ascii: "/"):
                brace = nil
            case UInt8(ascii: "}"):
                if let start = brace, start + 1 < position {
                    let name = String(decoding: part[(start + 1)..<position], as: UTF8.self)
                    variables.append(Variable(name: name, range: start..<(position + 1)))
                }
                brace = nil
            default:
                break
            }
        }
        return variables
    }
}
