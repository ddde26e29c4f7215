import APIKitCore

/// A pattern for the path of a URL, as sent: `*` is one or more characters of one segment, `**` one or more of any.
struct PathPattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable {
        case byte(UInt8)
        case wildcard(crossesSlashes: Bool)
    }

    /// The pattern as a text that begins with a slash.
    let description: String
    private var parts: [Part] = []

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

    /// Whether a path matches as a whole. The time is at most proportional to the lengths of path and pattern.
    func matches(_ path: String) -> Bool {
        let path = path.isEmpty ? [UInt8(ascii: "/")] : Array(path.utf8)
        // At which offsets of the path the parts so far can end.
        var ends = Array(repeating: false, count: path.count + 1)
        ends[0] = true
        for part in parts { ends = Self.ends(of: part, in: path, startingAt: ends) }
        return ends[path.count]
    }

    /// At which offsets of a path a part can end that begins at some offsets.
    private static func ends(of part: Part, in path: [UInt8], startingAt starts: [Bool]) -> [Bool] {
        // A part has at least one byte.
        var ends = [false]
        for (offset, byte) in path.enumerated() {
            switch part {
            case .byte(let own):
                ends.append(starts[offset] && byte == own)
            case .wildcard(let crossesSlashes):
                let mayHold = crossesSlashes || byte != UInt8(ascii: "/")
                let beginsOrContinues = starts[offset] || ends[offset]
                ends.append(mayHold && beginsOrContinues)
            }
        }
        return ends
    }
}
