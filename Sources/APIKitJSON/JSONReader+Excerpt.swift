extension JSONReader {
    /// Returns the bytes of the value at a coding path, for the text of an error; nil if the text is not JSON or has no
    /// such value.
    package func bytes(at path: [any CodingKey], in data: Data) -> Data? {
        guard let document = try? document(data) else { return nil }
        // The first cell is that of the top-level value.
        var value: JSONCell = 0
        for key in path {
            guard let inner = document.value(for: key, in: value) else { return nil }
            value = inner
        }
        return document.bytes(of: value)
    }
}

extension JSONDocument {
    /// Finds the value that a coding key names in an array or object; nil if there is no such value.
    fileprivate func value(for key: any CodingKey, in container: JSONCell) -> JSONCell? {
        if isObject(container) { return member(key.stringValue, of: container) }
        guard isArray(container), let index = key.intValue else { return nil }
        return element(index, of: container)
    }

    /// Finds an element of an array; nil if the index is negative or too large, as it may be if the coding path is that
    /// of another document.
    private func element(_ index: Int, of array: JSONCell) -> JSONCell? {
        guard index >= 0 else { return nil }
        let contents = contents(of: array)
        var element = contents.lowerBound
        var remaining = index
        while remaining > 0, element < contents.upperBound {
            element = cell(after: element)
            remaining -= 1
        }
        return element < contents.upperBound ? element : nil
    }

    /// Finds the value of the first member whose name equals a key, except for case and underscores: for the key
    /// `avatarURL`, a member `avatar_url`, whose name a key strategy has converted.
    private func member(_ key: String, of object: JSONCell) -> JSONCell? {
        let searchedName = Self.lowercasedWithoutUnderscores(key)
        let contents = contents(of: object)
        var name = contents.lowerBound
        while name < contents.upperBound {
            let value = name + 1
            if Self.lowercasedWithoutUnderscores(string(name)) == searchedName { return value }
            name = cell(after: value)
        }
        return nil
    }

    private static func lowercasedWithoutUnderscores(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" }
    }

    /// Returns the bytes of a value as the text has them.
    fileprivate func bytes(of value: JSONCell) -> Data {
        let start = start(of: value)
        let end =
            switch kind(of: value) {
            case .openingBracket, .openingBrace: endOfContainer(from: start)
            case .quote: endOfString(from: start)
            default: endOfNumberOrWord(from: start)
            }
        return text.withBytes(start..<end) { Data($0) }
    }

    // The following loops end, since the scanner has validated the text: all brackets and quotes are closed.

    /// Returns the index after the bracket that closes the array or object at an index.
    private func endOfContainer(from start: Int) -> Int {
        var index = start
        var depth = 0
        repeat {
            switch text[index] {
            case .openingBracket, .openingBrace:
                depth += 1
                index += 1
            case .closingBracket, .closingBrace:
                depth -= 1
                index += 1
            case .quote:
                // Brackets within strings do not count.
                index = endOfString(from: index)
            default:
                index += 1
            }
        } while depth > 0
        return index
    }

    /// Returns the index after the string that begins at an index.
    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while text[index] != .quote {
            // A backslash and the byte after it, such as a quote, are skipped together.
            let isEscape = text[index] == .backslash
            index += isEscape ? 2 : 1
        }
        return index + 1
    }

    /// Returns the index after a number, `true`, `false` or `null`.
    private func endOfNumberOrWord(from start: Int) -> Int {
        var index = start
        while index < text.count, !", ]}\t\r\n".utf8.contains(text[index]) { index += 1 }
        return index
    }
}
