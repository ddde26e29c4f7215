import APIKitCore

/// A pattern for the path of a URL, as sent: `*` is one or more characters of one segment, `**` one or more of any.
struct PathPattern: Sendable, CustomStringConvertible {
    private enum Part: Sendable {
        case byte(UInt8)
        case withinSegment
        case acrossSegments
    }

    private static let slash = UInt8(ascii: "/")
    private static let star = UInt8(ascii: "*")
    /// The pattern as a text that begins with a slash.
    let description: String
    private let parts: [Part]

    init(_ text: String) {
        description = text.hasPrefix("/") ? text : "/\(text)"
        var parts: [Part] = []
        for byte in description.utf8 {
            switch (byte, parts.last) {
            case (Self.star, .withinSegment?), (Self.star, .acrossSegments?): parts[parts.count - 1] = .acrossSegments
            case (Self.star, _): parts.append(.withinSegment)
            default: parts.append(.byte(byte))
            }
        }
        self.parts = parts
    }

    /// Whether a path matches as a whole. The time is at most proportional to the lengths of path and pattern.
    func matches(_ path: String) -> Bool {
        let path = path.isEmpty ? [Self.slash] : Array(path.utf8)
        // Up to where the parts so far can reach.
        var isEnd = [Bool](repeating: false, count: path.count + 1)
        isEnd[0] = true
        for part in parts {
            var next = [Bool](repeating: false, count: path.count + 1)
            for (index, byte) in path.enumerated() {
                next[index + 1] =
                    switch part {
                    case .byte(let own): isEnd[index] && byte == own
                    case .withinSegment: (isEnd[index] || next[index]) && byte != Self.slash
                    case .acrossSegments: isEnd[index] || next[index]
                    }
            }
            isEnd = next
        }
        return isEnd[path.count]
    }
}
