// MARK: - XML

extension SecretScanner {
    /// Remembers that a name which was just read begins a tag, if it does: the values of the element's attributes and
    /// its content are then masked, as in `<password type="x">x</password>`.
    mutating func beginElement(named name: Range<Int>) -> Bool {
        var open = name.lowerBound - 1
        if byte(at: open) == UInt8(ascii: ":") {
            // A prefix, as in `<soap:password>`.
            let prefix = bytes[max(0, open - 64)..<open].reversed().prefix(while: Self.name.contains)
            open -= prefix.count + 1
        }
        guard byte(at: open) == UInt8(ascii: "<") else { return false }
        secretElement = (open + 1)..<name.upperBound
        return true
    }

    /// Where the closing tag of an element begins or, if there is none, the next tag or line.
    mutating func endOfElement(_ name: Range<Int>) -> Int {
        var tags = closingTags.take() ?? ClosingTags(in: bytes)
        defer { closingTags = tags }
        return tags.first(named: bytes[name], from: position) ?? firstIndex(of: ByteSet("<\r\n"), from: position)
    }
}

/// Where a text closes each element. They are found in one pass, since hostile text may hold any number of tags that
/// are never closed.
struct ClosingTags {
    private static let name = SecretScanner.name.union(":")
    private var positions: [[UInt8]: ArraySlice<Int>] = [:]

    init(in bytes: [UInt8]) {
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(open + 1)...]
            guard rest.first == UInt8(ascii: "/") else { continue }
            let name = rest.dropFirst().prefix(while: Self.name.contains)
            positions[name.map(\.lowercasedASCII), default: []].append(open)
            rest = rest[name.endIndex...]
        }
    }

    /// The first closing tag of a name, in any case, from an index on; later calls do not ask for what is before.
    mutating func first(named name: ArraySlice<UInt8>, from index: Int) -> Int? {
        let name = name.map(\.lowercasedASCII)
        guard let rest = positions[name]?.drop(while: { $0 < index }) else { return nil }
        positions[name] = rest
        return rest.first
    }
}

// MARK: - Forms

extension SecretScanner {
    /// Masks the content of a part of a form that was just named (RFC 7578): what is between an empty line and the next
    /// boundary.
    mutating func maskPart(of member: Member) {
        guard member.sign == UInt8(ascii: "=") else { return }
        let end = endOfScalar(at: member.value)
        let head = bytes[end..<min(end + 1_000, bytes.count)]
        let lineEnds = ["\r\n\r\n", "\n\n"].map { Array($0.utf8) }
        // The rest of this line and further headers may stand between.
        guard let first = head.first, first == UInt8(ascii: ";") || Self.endOfLine.contains(first),
            let body = lineEnds.compactMap({ line in firstIndex(of: line, in: head).map { $0 + line.count } }).min()
        else { return }
        copy(body - position)
        mask(to: firstIndex(of: Array("\n--".utf8), from: position) ?? bytes.count)
    }

    private func firstIndex(of run: [UInt8], from start: Int) -> Int? {
        firstIndex(of: run, in: bytes[min(start, bytes.count)...])
    }

    private func firstIndex(of run: [UInt8], in slice: ArraySlice<UInt8>) -> Int? {
        guard let first = run.first else { return nil }
        var rest = slice
        while let index = rest.firstIndex(of: first) {
            rest = rest[index...]
            if rest.starts(with: run) { return index }
            rest = rest.dropFirst()
        }
        return nil
    }
}
