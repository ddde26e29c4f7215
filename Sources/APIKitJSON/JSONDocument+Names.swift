extension JSONDocument {
    /// How many members are searched one by one.
    private static let maximumSearched = 128

    /// The cells of an object's names.
    func names(of object: Int) -> [Int] {
        let contents = contents(of: object)
        var (names, name): ([Int], Int) = ([], contents.lowerBound)
        while name < contents.upperBound {
            names.append(name)
            name = cell(after: name + 1)
        }
        return names
    }

    /// How many members an object has that are searched one by one; nil if they need an index: if they are many, or if
    /// a name may be there twice or needs to be converted in a way that is not seen from its bytes.
    func searchedMembers(of object: Int) -> Int? {
        if case .custom = reader.keys { return nil }
        // The bits whose numbers are hashes of names.
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { seen in
            seen.initialize(repeating: 0)
            let contents = contents(of: object)
            var (name, count) = (contents.lowerBound, 0)
            while name < contents.upperBound {
                count += 1
                guard !isEscaped(name), count <= Self.maximumSearched, let hash = hash(of: name) else { return nil }
                let (word, bit) = (Int(hash >> 6), UInt64(1) << (hash & 63))
                if seen[word] & bit != 0, isRepeated(name, in: object) { return nil }
                seen[word] |= bit
                name = cell(after: name + 1)
            }
            return count
        }
    }

    /// A number below 1024 that names have in common if they are converted to the same key; nil if that is not seen
    /// from their bytes.
    @inline(__always)
    private func hash(of name: Int) -> UInt64? {
        let first = start(of: name) + 1
        if reader.keys.isDefault { return text.hashBeforeQuote(from: first) >> 54 }
        var (hash, index) = (UInt64(0), first)
        while text[index] != UInt8(ascii: "\"") {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "_") { continue }
            guard byte.isLowercase || byte.isDigit else { return nil }
            hash = (hash ^ UInt64(byte)).times(0x9E37_79B9_7F4A_7C15)
        }
        return hash >> 54
    }

    /// Whether an earlier member of an object may be converted to the same key.
    private func isRepeated(_ name: Int, in object: Int) -> Bool {
        var other = contents(of: object).lowerBound
        while other < name {
            if isSame(start(of: name) + 1, start(of: other) + 1) { return true }
            other = cell(after: other + 1)
        }
        return false
    }

    /// Whether two names without escapes, of which these are the first bytes, are the same, apart from underscores with
    /// a key strategy.
    private func isSame(_ first: Int, _ second: Int) -> Bool {
        let skipped = reader.keys.isDefault ? UInt8(ascii: "\"") : UInt8(ascii: "_")
        var (first, second) = (first, second)
        while true {
            if text[first] == text[second] {
                if text[first] == UInt8(ascii: "\"") { return true }
                (first, second) = (first + 1, second + 1)
            } else if text[first] == skipped, !reader.keys.isDefault {
                first += 1
            } else if text[second] == skipped, !reader.keys.isDefault {
                second += 1
            } else {
                return false
            }
        }
    }

    /// A name as a coding key spells it.
    func key(_ name: Int, in object: Int) -> String {
        reader.keys.converted(string(name), path(toContainer: object))
    }

    /// The cell of the name that becomes a key; nil if there is none. The search begins where it ended last, since
    /// models and texts mostly have the same order.
    @inline(__always)
    func name(_ key: String, in object: Int) -> Int? {
        var key = key
        return key.withUTF8 { key in
            let contents = contents(of: object)
            let start = lastFound.object == object ? lastFound.name : contents.lowerBound
            var name = start
            while name < contents.upperBound {
                if isName(key, name) { return found(name, in: object) }
                name = cell(after: name + 1)
            }
            name = contents.lowerBound
            while name < start {
                if isName(key, name) { return found(name, in: object) }
                name = cell(after: name + 1)
            }
            return nil
        }
    }

    @inline(__always)
    private func found(_ name: Int, in object: Int) -> Int {
        lastFound = (object, name)
        return name
    }

    @inline(__always)
    func isName(_ key: UnsafeBufferPointer<UInt8>, _ name: Int) -> Bool {
        let first = start(of: name) + 1
        guard reader.keys.isDefault else { return isSnakeCase(key, first) }
        return text.hasText(key, at: first) && text[first + key.count] == UInt8(ascii: "\"")
    }

    /// Whether a name of small letters, digits and underscores becomes a key if its words are joined in camel case.
    private func isSnakeCase(_ key: UnsafeBufferPointer<UInt8>, _ first: Int) -> Bool {
        let underscore = UInt8(ascii: "_")
        var (index, offset) = (first, 0)
        func take(_ byte: UInt8) -> Bool {
            guard offset < key.count, key[offset] == byte else { return false }
            offset += 1
            return true
        }
        while text[index] == underscore {
            guard take(underscore) else { return false }
            index += 1
        }
        // In later words, a letter that does not follow another one becomes a capital.
        var (isLaterWord, isAfterLetter) = (false, false)
        while text[index] != UInt8(ascii: "\"") {
            var next = index
            while text[next] == underscore { next += 1 }
            if text[next] == UInt8(ascii: "\"") {
                // Underscores at the end are kept.
                while index < next, take(underscore) { index += 1 }
                break
            }
            if next > index { (isLaterWord, isAfterLetter) = (true, false) }
            let byte = text[next]
            guard take(isLaterWord && !isAfterLetter && byte.isLowercase ? byte - 0x20 : byte) else { return false }
            isAfterLetter = byte.isLowercase
            index = next + 1
        }
        return text[index] == UInt8(ascii: "\"") && offset == key.count
    }
}

extension UInt8 {
    /// Whether the byte is a small letter of ASCII.
    @inline(__always)
    fileprivate var isLowercase: Bool { self &- UInt8(ascii: "a") < 26 }
}
