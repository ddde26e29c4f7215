extension JSONDocument {
    /// How many names of an object are compared in vain before it gets an index.
    private static let maximumMisses = 64

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

    /// How many members an object has.
    func countedNames(of object: Int) -> Int {
        let contents = contents(of: object)
        var (count, name) = (0, contents.lowerBound)
        while name < contents.upperBound { (count, name) = (count + 1, cell(after: name + 1)) }
        return count
    }

    /// Whether a name of an object has escapes or may be there twice.
    @inline(__always)
    func mayRepeatNames(_ object: Int) -> Bool { cells[object + 1] & Self.indexedFlag != 0 }

    /// Whether the members of an object are only found by an index, since several may have one key, or a name is not
    /// spelled like its key.
    @inline(__always)
    func needsIndex(_ object: Int) -> Bool {
        mayRepeatNames(object) || !usesDefaultKeys && mayConvertToSameKey(in: object)
    }

    /// Whether two names of an object may be converted to the same key, or one in a way that is not seen from its
    /// bytes.
    private func mayConvertToSameKey(in object: Int) -> Bool {
        if case .custom = reader.keys { return true }
        // The bits whose numbers are hashes of names.
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 16) { seen in
            seen.initialize(repeating: 0)
            let contents = contents(of: object)
            var name = contents.lowerBound
            while name < contents.upperBound {
                guard let hash = snakeCaseHash(of: name) else { return true }
                let (word, bit) = (Int(hash >> 6), UInt64(1) << (hash & 63))
                if seen[word] & bit != 0 { return true }
                seen[word] |= bit
                name = cell(after: name + 1)
            }
            return false
        }
    }

    /// A number below 1024 that names have in common if they are the same without underscores; nil for a name with
    /// other characters than small letters, digits and underscores.
    private func snakeCaseHash(of name: Int) -> UInt64? {
        var (hash, index) = (UInt64(0), start(of: name) + 1)
        while text[index] != UInt8(ascii: "\"") {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "_") { continue }
            guard byte.isLowercase || byte.isDigit else { return nil }
            hash = (hash ^ UInt64(byte)).times(0x9E37_79B9_7F4A_7C15)
        }
        return hash >> 54
    }

    /// A name as a coding key spells it.
    func key(_ name: Int, in object: Int) -> String {
        reader.keys.converted(string(name), path(toContainer: object))
    }

    /// The cell of the name that becomes a key; nil if there is none.
    ///
    /// The search begins after the last member, since models and texts mostly have the same order.
    @inline(never)
    func name(_ key: consuming String, in object: Int, needsIndex: Bool) -> Int? {
        key.withUTF8 { key in
            let start = expected.name
            if expected.object == object, start < contents(of: object).upperBound, !needsIndex, isName(key, start) {
                return start
            }
            return search(key, in: object, needsIndex: needsIndex)
        }
    }

    /// The cell of a name that is not the expected one.
    @inline(never)
    private func search(_ key: UnsafeBufferPointer<UInt8>, in object: Int, needsIndex: Bool) -> Int? {
        if needsIndex || indexes.last?.object == object { return indexedName(key, in: object) }
        if expected.object != object { expected = (object, object + 2, 0) }
        let (start, end) = (expected.name, contents(of: object).upperBound)
        var name = start
        while name < end {
            if isName(key, name) { return name }
            name = cell(after: name + 1)
            expected.misses += 1
            if expected.misses > Self.maximumMisses { return indexedName(key, in: object) }
        }
        name = object + 2
        while name < start {
            if isName(key, name) { return name }
            name = cell(after: name + 1)
            expected.misses += 1
        }
        return nil
    }

    /// Has the next search in an object begin at a name.
    @inline(__always)
    func expect(_ name: Int, in object: Int) {
        if expected.object == object { expected.name = name } else { expected = (object, name, 0) }
    }

    /// Decodes the string of a member, and expects the member after it next; nil if there is no such member.
    func text(of key: consuming String, in object: UInt32, needsIndex: Bool) throws -> String? {
        guard let name = name(key, in: Int(object), needsIndex: needsIndex) else { return nil }
        let value = try text(JSONPlace(name + 1, in: Int(object)))
        expect(name + 2, in: Int(object))
        return value
    }

    /// The cell of the name that becomes a key, by the index of the object, which is made when it is first needed.
    private func indexedName(_ key: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
        while let last = indexes.last, last.object > object || contents(of: last.object).upperBound <= object {
            indexes.removeLast()
        }
        if indexes.last?.object != object { indexes.append(JSONNameIndex(self, object)) }
        return indexes[indexes.count - 1].name(key, in: self)
    }

    @inline(__always)
    func isName(_ key: UnsafeBufferPointer<UInt8>, _ name: Int) -> Bool {
        let first = start(of: name) + 1
        return usesDefaultKeys ? isText(key, first) : becomes(key, first)
    }

    /// Whether a key is the text of a string without escapes.
    @inline(__always)
    private func isText(_ key: UnsafeBufferPointer<UInt8>, _ first: Int) -> Bool {
        text.hasText(key, at: first) && text[first + key.count] == UInt8(ascii: "\"")
    }

    /// Whether a name of small letters, digits and underscores becomes a key if its words are joined in camel case. In
    /// the key, acronyms may be in capitals; one with an underscore within is the name itself.
    private func becomes(_ key: UnsafeBufferPointer<UInt8>, _ first: Int) -> Bool {
        let underscore = UInt8(ascii: "_")
        var (index, offset) = (first, 0)
        func take(_ byte: UInt8) -> Bool {
            guard offset < key.count, key[offset] == byte || isCapital(key, offset, of: byte) else { return false }
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
            guard take(isLaterWord && !isAfterLetter && byte.isLowercase ? byte - 0x20 : byte) else {
                return offset < key.count && key[offset] == underscore && isText(key, first)
            }
            isAfterLetter = byte.isLowercase
            index = next + 1
        }
        return text[index] == UInt8(ascii: "\"") && offset == key.count
    }
}

extension JSONDocument {
    /// Whether a key is a name itself, or the name's key with acronyms in capitals.
    func isSpelled(_ key: UnsafeBufferPointer<UInt8>, _ name: Int, in object: Int) -> Bool {
        if snakeCaseHash(of: name) != nil { return isName(key, name) }
        var converted = self.key(name, in: object)
        return converted.withUTF8 { isRespelled(key, $0) } || string(name).utf8.elementsEqual(key)
    }

    /// Whether a key differs from another one at most by capitals that follow capitals.
    private func isRespelled(_ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.count == other.count else { return false }
        return key.indices.allSatisfy { index in
            key[index] == other[index] || isCapital(key, index, of: other[index])
        }
    }

    /// Whether a byte of a key is the capital of a letter, after another capital.
    private func isCapital(_ key: UnsafeBufferPointer<UInt8>, _ index: Int, of letter: UInt8) -> Bool {
        index > 0 && key[index - 1].isCapital && key[index].isCapital && key[index] + 0x20 == letter
    }
}

extension UInt8 {
    /// Whether the byte is a small letter of ASCII.
    @inline(__always)
    fileprivate var isLowercase: Bool { self &- UInt8(ascii: "a") < 26 }

    @inline(__always)
    var isCapital: Bool { self &- UInt8(ascii: "A") < 26 }
}
