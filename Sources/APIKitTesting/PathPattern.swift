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
        // Up to where the parts so far can reach.
        var isEnd = [true] + path.map { _ in false }
        for part in parts {
            var next = [false]
            for (isStart, byte) in zip(isEnd, path) {
                switch part {
                case .byte(let own): next.append(isStart && byte == own)
                case .wildcard(let crossesSlashes):
                    next.append((isStart || next[next.count - 1]) && (crossesSlashes || byte != UInt8(ascii: "/")))
                }
            }
            isEnd = next
        }
        return isEnd[path.count]
    }
}
