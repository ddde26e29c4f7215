extension JSONDecoder.KeyDecodingStrategy {
    /// The words between underscores in camel case; underscores at the start and at the end are kept.
    static func fromSnakeCase(_ name: String) -> String {
        var name = name
        var key: [UInt8] = []
        name.withUTF8 { key.appendCamelCase($0) }
        return String(decoding: key, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends the words of a name in camel case; underscores at the start and at the end are kept.
    mutating func appendCamelCase(_ name: Bytes) {
        guard let words = name.rangeWithoutOuterUnderscores, name[words].contains(.underscore) else {
            append(contentsOf: name)
            return
        }
        append(contentsOf: name[..<words.lowerBound])
        if name.allSatisfy({ $0.isLetter || $0.isDigit || $0 == .underscore }) {
            appendASCIIWords(name[words])
        } else {
            appendWords(String(decoding: name[words], as: UTF8.self))
        }
        append(contentsOf: name[words.upperBound...])
    }

    /// Appends words as Foundation's functions convert them, but a hundred times as fast.
    private mutating func appendASCIIWords(_ words: Slice<Bytes>) {
        var isFirstWord = true
        var isAfterLetter = false
        for byte in words {
            if byte == .underscore {
                isFirstWord = false
                isAfterLetter = false
                continue
            }
            // A letter after a digit becomes a capital as well.
            let isCapital = !isFirstWord && !isAfterLetter
            append(isCapital ? byte.uppercased : byte.lowercased)
            isAfterLetter = byte.isLetter
        }
    }

    private mutating func appendWords(_ text: String) {
        let words = text.split(separator: "_")
        append(contentsOf: words[0].lowercased().utf8)
        for word in words.dropFirst() { append(contentsOf: word.capitalized.utf8) }
    }
}

extension Bytes {
    /// From the first to the last byte that is not an underscore; nil if there is none.
    var rangeWithoutOuterUnderscores: Range<Int>? {
        guard let first = firstIndex(where: { $0 != .underscore }),
            let last = lastIndex(where: { $0 != .underscore })
        else { return nil }
        return first..<last + 1
    }
}
