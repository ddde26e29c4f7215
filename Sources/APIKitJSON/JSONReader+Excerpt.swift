extension JSONReader {
    /// The bytes of the value at a coding path, for the text of an error; nil if the text is not JSON or has no such
    /// value.
    package func bytes(at path: [any CodingKey], in data: Data) -> Data? {
        guard let document = try? document(data) else { return nil }
        var cell = 0
        for key in path {
            guard let next = document.value(for: key, in: cell) else { return nil }
            cell = next
        }
        return document.bytes(of: cell)
    }
}

extension JSONDocument {
    /// The cell of the value that a coding key names in an array or object.
    fileprivate func value(for key: any CodingKey, in cell: Int) -> Int? {
        if isArray(cell) { return key.intValue.flatMap { element($0, of: cell) } }
        return isObject(cell) ? member(key.stringValue, of: cell) : nil
    }

    private func element(_ index: Int, of array: Int) -> Int? {
        // The path may be that of another document, with any index.
        guard index >= 0 else { return nil }
        let contents = contents(of: array)
        var cell = contents.lowerBound
        var remaining = index
        while remaining > 0, cell < contents.upperBound {
            cell = self.cell(after: cell)
            remaining -= 1
        }
        return cell < contents.upperBound ? cell : nil
    }

    /// The value of the first member whose name equals a key, except for case and underscores: the key may be a
    /// converted name.
    private func member(_ key: String, of object: Int) -> Int? {
        let contents = contents(of: object)
        var name = contents.lowerBound
        while name < contents.upperBound {
            let value = name + 1
            if Self.letters(of: string(name)) == Self.letters(of: key) { return value }
            name = cell(after: value)
        }
        return nil
    }

    /// The name in small letters and without underscores.
    private static func letters(of name: String) -> String {
        name.lowercased().filter { $0 != "_" }
    }

    /// The bytes of a value. The loops below end, since the scanner has validated the text.
    fileprivate func bytes(of cell: Int) -> Data {
        let start = start(of: cell)
        let end =
            switch kind(of: cell) {
            case UInt8(ascii: "["), UInt8(ascii: "{"): endOfContainer(from: start)
            case UInt8(ascii: "\""): endOfString(from: start)
            default: endOfNumber(from: start)
            }
        return text.withBytes(start..<end) { Data($0) }
    }

    /// The index after the bracket that closes the container at an index.
    private func endOfContainer(from start: Int) -> Int {
        var index = start
        var depth = 0
        repeat {
            switch text[index] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            // Brackets within strings do not count.
            index = text[index] == UInt8(ascii: "\"") ? endOfString(from: index) : index + 1
        } while depth > 0
        return index
    }

    /// The index after the string that begins at an index.
    private func endOfString(from start: Int) -> Int {
        var index = start + 1
        while text[index] != UInt8(ascii: "\"") { index += text[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    /// The index after a number, `true`, `false` or `null`.
    private func endOfNumber(from start: Int) -> Int {
        var index = start
        while index < text.count, !", ]}\t\r\n".utf8.contains(text[index]) { index += 1 }
        return index
    }
}
