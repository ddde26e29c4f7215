import APIKitCore

/// A pattern for the path of a URL as it is sent.
///
/// `*` matches one or more characters of one segment, `**` one or more characters, slashes included.
struct PathPattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable {
        case byte(UInt8)
        case wildcard(crossesSlashes: Bool)
    }

    /// The pattern as a text that begins with a slash.
    let description: String
    private var parts: [Part] = []

    /// Splits a pattern into its parts. Two or more asterisks in a row are one wildcard that crosses slashes.
    init(_ text: String) {
        description = text.hasPrefix("/") ? text : "/\(text)"
        for byte in description.utf8 {
            if byte != UInt8(ascii: "*") {
                parts.append(.byte(byte))
            } else if case .wildcard = parts.last {
                parts[parts.count - 1] = .wildcard(crossesSlashes: true)
            } else {
                parts.append(.wildcard(crossesSlashes: false))
            }
        }
    }

    /// Whether the whole path matches. The time is at most proportional to the length of the path times the length of
    /// the pattern.
    func matches(_ path: String) -> Bool {
        let bytes = path.isEmpty ? [UInt8(ascii: "/")] : Array(path.utf8)
        // For each offset in the path: whether the parts so far can match exactly the bytes before it. Before the first
        // part, only the offset 0 can be reached.
        var reachable = Array(repeating: false, count: bytes.count + 1)
        reachable[0] = true
        for part in parts { reachable = Self.ends(of: part, in: bytes, startingAt: reachable) }
        return reachable[bytes.count]
    }

    /// Returns for each offset in a path whether a part can end there, if it begins at one of the given offsets.
    private static func ends(of part: Part, in path: [UInt8], startingAt starts: [Bool]) -> [Bool] {
        // Each part matches at least one byte, so none ends at the offset 0.
        var ends = [false]
        for (offset, byte) in path.enumerated() {
            switch part {
            case .byte(let expected):
                ends.append(starts[offset] && byte == expected)
            case .wildcard(let crossesSlashes):
                let matchesByte = crossesSlashes || byte != UInt8(ascii: "/")
                // The wildcard begins with this byte, or has matched the bytes up to it.
                let beginsOrContinues = starts[offset] || ends[offset]
                ends.append(matchesByte && beginsOrContinues)
            }
        }
        return ends
    }
}
