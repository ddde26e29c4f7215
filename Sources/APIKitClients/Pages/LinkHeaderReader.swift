import APIKitCore
import APIKitSupport

/// Reads the value of a `Link` field (RFC 8288, appendix B.2). After a malformed part, it continues with the next link.
struct LinkHeaderReader {
    /// A link as it was written.
    struct Link {
        /// The range of the target in the bytes of the value.
        fileprivate let targetRange: Range<Int>
        let target: String
        /// The names ignore case, as header names do.
        var parameters = HTTPHeaders()
    }

    /// The links of a field's value.
    @inline(never)
    static func links(of value: String) -> [Link] {
        var reader = LinkHeaderReader(bytes: Array(value.utf8))
        return reader.readLinks()
    }

    /// Returns a field's value with its targets replaced. If `replacement` returns nil, the target stays.
    static func replacingTargets(of value: String, with replacement: (String) -> String?) -> String {
        let bytes = Array(value.utf8)
        var output: [UInt8] = []
        var copiedEnd = 0
        for link in links(of: value) {
            guard let target = replacement(link.target) else { continue }
            output += bytes[copiedEnd..<link.targetRange.lowerBound]
            output += target.utf8
            copiedEnd = link.targetRange.upperBound
        }
        output += bytes[copiedEnd...]
        return String(decoding: output, as: UTF8.self)
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Reads all links of the value. Malformed ones are skipped.
    private mutating func readLinks() -> [Link] {
        var links: [Link] = []
        while position < bytes.count {
            if let link = readLink() { links.append(link) }
            skipToNextLink()
        }
        return links
    }

    /// Reads a link up to its last valid parameter, such as `<…/2>; rel="next"`; nil if it is malformed. Text before it
    /// is skipped, so that a stray sign does not hide the link to the next page.
    private mutating func readLink() -> Link? {
        _ = readText(upTo: "<,\"")
        guard take("<") else { return nil }
        let start = position
        let target = readTarget()
        let end = position
        guard take(">") else { return nil }
        var link = Link(targetRange: start..<end, target: target)
        while let parameter = readParameter() { link.parameters.append(parameter.value, for: parameter.name) }
        return link
    }

    /// Reads the target of a link, up to the `>` at its end.
    ///
    /// Some servers fail to encode a `>` in a query. As the end of the target, it would hide the relation, and so the
    /// link to the next page. It belongs to the target if a character of a URL follows, and later another `>`.
    private mutating func readTarget() -> String {
        let start = position
        _ = readText(upTo: ">")
        while let end = endOfTarget(after: position) { position = end }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Returns the position of the `>` that ends a target, if the one at a position does not; nil if it does.
    private func endOfTarget(after position: Int) -> Int? {
        let rest = bytes[position...].dropFirst()
        guard let next = rest.first, !" \t;,".utf8.contains(next) else { return nil }
        let text = rest.prefix { !" \t<>\"".utf8.contains($0) }
        let isEnd = text.endIndex < bytes.count && bytes[text.endIndex] == UInt8(ascii: ">")
        return isEnd ? text.endIndex : nil
    }

    /// Reads a parameter of a link (RFC 8288, appendix B.3); nil if there is none. The value is empty if the parameter
    /// has no equals sign.
    private mutating func readParameter() -> HTTPHeaders.Field? {
        skipSpaces()
        guard take(";") else { return nil }
        skipSpaces()
        let name = HTTPHeaders.Name(rawValue: readText(upTo: " \t=;,"))
        skipSpaces()
        guard take("=") else { return HTTPHeaders.Field(name: name, value: "") }
        skipSpaces()
        if take("\"") { return HTTPHeaders.Field(name: name, value: readQuotedText()) }
        let value = readText(upTo: ";,").trimmingSpaces()
        return HTTPHeaders.Field(name: name, value: String(value))
    }

    /// Reads the rest of a quoted string (RFC 8288, appendix B.4).
    private mutating func readQuotedText() -> String {
        var text: [UInt8] = []
        while position < bytes.count, !take("\"") {
            // A backslash is skipped, and the byte after it belongs to the text, even if it is a quote. A backslash at
            // the very end belongs to the text itself.
            if take("\\"), position == bytes.count {
                text.append(UInt8(ascii: "\\"))
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Skips the rest of a link, and the comma after it.
    private mutating func skipToNextLink() {
        while position < bytes.count, !take(",") {
            if take("\"") {
                _ = readQuotedText()
            } else {
                position += 1
            }
        }
    }

    private mutating func skipSpaces() {
        while take(" ") || take("\t") {}
    }

    /// Skips a character if it is the next one; returns whether it was.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads the text up to the first of the given characters, or up to the end.
    private mutating func readText(upTo ends: String) -> String {
        let text = bytes[position...].prefix { !ends.utf8.contains($0) }
        position = text.endIndex
        return String(decoding: text, as: UTF8.self)
    }
}

extension HTTPHeaders {
    /// Returns the headers with the targets of `Link` fields replaced. If `replacement` returns nil, the target stays.
    func replacingLinkTargets(with replacement: (String) -> String?) -> HTTPHeaders {
        HTTPHeaders(
            map { field in
                guard field.name == .link else { return field }
                return Field(
                    name: field.name, value: LinkHeaderReader.replacingTargets(of: field.value, with: replacement))
            })
    }
}
