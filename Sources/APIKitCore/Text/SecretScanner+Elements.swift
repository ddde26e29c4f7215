// MARK: - XML

extension SecretScanner {
    private static let endOfLine = ByteSet("\r\n")

    /// Enters the tag that an angle bracket begins. If its name is a secret's, so are all of its attributes and the
    /// content of the element, as in `<password type="x">x</password>`.
    mutating func enterTag() {
        guard let prefix = name(at: position) else { return }
        let local = sign(at: prefix.end) == ":" ? name(at: prefix.end + 1) ?? prefix : prefix
        enter(.tag(element: position..<local.end, isSecret: vocabulary.contains(local.text)))
    }

    /// Leaves the tag and returns it, if there is one.
    @discardableResult mutating func leaveTag() -> Scope? {
        guard case .tag = scope.kind else { return nil }
        return scopes.removeLast()
    }

    /// Masks the content of an element after its tag, also that of `<entry key="password">`.
    mutating func maskContent(after tag: Scope) {
        guard case .tag(let element, let isSecret) = tag.kind, isSecret || tag.namesSecret,
            sign(at: position - 2) != "/"
        else { return }
        let name = bytes[element].map(\.lowercasedASCII)
        var tags = closingTags.take() ?? findClosingTags()
        while let tag = tags[name]?.last, tag < position { tags[name]?.removeLast() }
        closingTags = tags
        if let end = tags[name]?.last { return replace(position..<end) }
        // The text has been cut, or the tag is a word of prose: <token>.
        let isOnNextLine = bytes[position...].first.map(Self.endOfLine.contains) ?? false
        let end = firstIndex(of: isOnNextLine ? ByteSet("<") : ByteSet("<\r\n"), from: position)
        if end > position { replace(position..<end) }
    }

    /// Finds all closing tags at once, since hostile text may open any number of elements that it never closes.
    private func findClosingTags() -> [[UInt8]: [Int]] {
        var tags: [[UInt8]: [Int]] = [:]
        let nameBytes = Self.name.union(":")
        for index in bytes.indices.dropLast().reversed() where sign(at: index) == "<" && sign(at: index + 1) == "/" {
            let name = bytes[(index + 2)...].prefix(while: nameBytes.contains)
            tags[name.map(\.lowercasedASCII), default: []].append(index)
        }
        return tags
    }

    // MARK: - Forms

    /// Masks the content of a part of a form (RFC 7578), whose header has just named it: everything between the next
    /// empty line and the boundary.
    mutating func maskPart(namedBy name: Member) {
        let end = min(rangeOfValue(pendingIn: name).upperBound, bytes.count)
        let head = bytes[end...].drop { "\\\"'".utf8.contains($0) }.prefix(1_000)
        guard let next = head.first, next == UInt8(ascii: ";") || Self.endOfLine.contains(next) else { return }
        // The rest of this line, and a few more headers.
        let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: 10, omittingEmptySubsequences: false)
            .dropFirst()
        let emptyLine = lines.first { line in
            sign(at: line.endIndex) == "\n" && (line.isEmpty || line.elementsEqual("\r".utf8))
        }
        guard let body = emptyLine.map({ $0.endIndex + 1 }) else { return }
        replace(body..<(bytes[body...].firstIndex(of: "\n--".utf8) ?? bytes.count))
    }
}
