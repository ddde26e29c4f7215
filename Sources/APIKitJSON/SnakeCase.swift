import APIKitSupport

/// How a decoder that converts names from snake case finds the member of a coding key.
///
/// `@_spi(Tools)` is for the generator in the package `Tools`, which writes a coding key only for a member that would
/// not be found without one.
@_spi(Tools) public enum SnakeCase {
    /// Converts a name from snake case to camel case: `_user_id` becomes `_userId`.
    public static func key(of name: String) -> String { JSONDecoder.KeyDecodingStrategy.fromSnakeCase(name) }

    /// Whether the decoder finds the JSON member `name` when a model asks for the coding key `key`: the member
    /// `avatar_url` for the key `avatarUrl`, and also for `avatar_url` and `avatarURL`.
    public static func finds(_ name: String, by key: String) -> Bool {
        let converted = Array(Self.key(of: name).utf8)
        if key.utf8.elementsEqual(converted) { return true }
        var key = key
        return key.withUTF8 { bytes in
            if bytes.hasUnderscoreWithin { return bytes.elementsEqual(name.utf8) }
            return bytes.hasAcronym && bytes.isEqualExceptForAcronyms(to: converted[...])
        }
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Converts a name from snake case to camel case. Underscores at the start and at the end are kept.
    static func fromSnakeCase(_ name: String) -> String {
        var name = name
        var key: [UInt8] = []
        name.withUTF8 { key.appendCamelCase($0) }
        return String(decoding: key, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a name that is converted from snake case to camel case: `_user_id` becomes `_userId`. Underscores at the
    /// start and at the end are kept; a name without any other is appended as it is.
    mutating func appendCamelCase(_ name: Bytes) {
        guard let words = name.rangeWithoutOuterUnderscores, name[words].contains(.underscore) else {
            append(contentsOf: name)
            return
        }
        append(contentsOf: name[..<words.lowerBound])
        let isASCII = name.allSatisfy { $0.isASCIILetter || $0.isDigit || $0 == .underscore }
        if isASCII {
            // Much faster than the other function, with the same result.
            appendASCIIWords(name[words])
        } else {
            appendWords(String(decoding: name[words], as: UTF8.self))
        }
        append(contentsOf: name[words.upperBound...])
    }

    /// Appends words of ASCII letters and digits, with a capital at the start of each but the first: `user_id` becomes
    /// `userId`. The result is that of `appendWords(_:)`, a hundred times as fast.
    private mutating func appendASCIIWords(_ words: Slice<Bytes>) {
        var isFirstWord = true
        var isAfterLetter = false
        for byte in words {
            if byte == .underscore {
                isFirstWord = false
                isAfterLetter = false
                continue
            }
            // As with Foundation's `capitalized`, a letter after a digit becomes a capital as well: `item_2nd` becomes
            // `item2Nd`.
            let isCapital = !isFirstWord && !isAfterLetter
            append(isCapital ? byte.uppercasedASCII : byte.lowercasedASCII)
            isAfterLetter = byte.isASCIILetter
        }
    }

    /// Appends words of any characters, converted by Foundation as in `JSONDecoder`: the first with `lowercased()`, the
    /// others with `capitalized`.
    private mutating func appendWords(_ text: String) {
        let words = text.split(separator: "_")
        append(contentsOf: words[0].lowercased().utf8)
        for word in words.dropFirst() { append(contentsOf: word.capitalized.utf8) }
    }
}

extension Bytes {
    /// The range from the first to the last byte that is not an underscore; nil if there are only underscores.
    var rangeWithoutOuterUnderscores: Range<Int>? {
        guard let first = firstIndex(where: { $0 != .underscore }),
            let last = lastIndex(where: { $0 != .underscore })
        else { return nil }
        return first..<last + 1
    }

    /// Whether there is an underscore between other characters.
    var hasUnderscoreWithin: Bool {
        guard let words = rangeWithoutOuterUnderscores else { return false }
        return self[words].contains(.underscore)
    }

    /// Whether there are two capitals in a row.
    var hasAcronym: Bool {
        zip(self, dropFirst()).contains { $0.isASCIIUppercase && $1.isASCIIUppercase }
    }

    /// Whether this key, which may have acronyms in capitals, equals another one in which they are spelled like words:
    /// `avatarURL` equals `avatarUrl`.
    func isEqualExceptForAcronyms(to wordKey: ArraySlice<UInt8>) -> Bool {
        guard count == wordKey.count else { return false }
        var previous: UInt8 = 0
        for (own, other) in zip(self, wordKey) {
            // The first letter of an acronym is a capital in both keys. Those after it are small letters in the other.
            let isWithinAcronym = previous.isASCIIUppercase && own.isASCIIUppercase
            let isSmallInOther = isWithinAcronym && own.lowercasedASCII == other
            if own != other, !isSmallInOther { return false }
            previous = own
        }
        return true
    }
}
