// Not generic over StringProtocol, since each specialization would be compiled separately.

extension Substring {
    /// Returns the text without spaces and tabs around it. A space with a combining character is still a space.
    @inline(never)
    package func trimmingSpaces() -> Substring {
        guard let start = utf8.firstIndex(where: \.isText), let last = utf8.lastIndex(where: \.isText) else {
            return self[startIndex..<startIndex]
        }
        return self[start..<utf8.index(after: last)]
    }

    /// The number that the text spells with ASCII digits only; `Int` would accept a sign too.
    @inline(never)
    package var wholeNumber: Int? {
        guard !isEmpty else { return nil }
        var text = self
        return text.withUTF8 { bytes in
            var number = 0
            var position = 0
            while position < bytes.count {
                guard bytes[position].isDigit else { return nil }
                let tens = number.multipliedReportingOverflow(by: 10)
                let sum = tens.partialValue.addingReportingOverflow(Int(bytes[position] - 0x30))
                guard !tens.overflow, !sum.overflow else { return nil }
                number = sum.partialValue
                position += 1
            }
            return number
        }
    }
}

extension String {
    /// The text without spaces and tabs around it.
    package func trimmingSpaces() -> Substring { self[...].trimmingSpaces() }

    /// The text without spaces and control characters around it, such as line breaks. Browsers ignore them around a
    /// link (WHATWG URL, section 4.4).
    package var trimmingLink: String {
        let bytes = Array(utf8)
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else { return "" }
        return String(decoding: bytes[start...last], as: UTF8.self)
    }

    /// The number that the text spells with ASCII digits only.
    package var wholeNumber: Int? { self[...].wholeNumber }

    /// The elements of a list (RFC 9110, section 5.6.1). A comma with a combining character is still a comma.
    package var listElements: [Substring] { listElements(omittingEmpty: true) }

    /// The elements of a list, also those that are empty in `a,,b` if these are not omitted.
    @inline(never)
    package func listElements(omittingEmpty omitsEmpty: Bool) -> [Substring] {
        let elements = Array(utf8)[...].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: omitsEmpty)
        return elements.map { String(decoding: $0, as: UTF8.self).trimmingSpaces() }
    }

    /// The bytes in UTF-8. The initializer of `Data` is generic: each module that calls it would compile it again.
    @inline(never)
    package var utf8Data: Data { Data(utf8) }

    /// The text after the first space, such as a token after its scheme.
    package var afterFirstSpace: String {
        String(Substring(utf8.drop { $0 != UInt8(ascii: " ") }.dropFirst()))
    }
}

// Foundation and the standard library would inline these at each use, which takes up to 2 KB.

extension String {
    @inline(never)
    package var isASCII: Bool {
        var text = self
        return text.withUTF8 { bytes in
            var position = 0
            while position < bytes.count {
                if bytes[position] >= 0x80 { return false }
                position += 1
            }
            return true
        }
    }

    /// Whether the bytes of the text contain those of another one.
    @inline(never)
    package func contains(bytesOf other: String) -> Bool { utf8.contains(other.utf8) }
}

extension [String] {
    /// The different texts, sorted.
    @inline(never)
    package var sortedAndUnique: [String] {
        var texts: [String] = []
        for text in sorted() where text != texts.last { texts.append(text) }
        return texts
    }
}

extension Data {
    /// The bytes as UTF-8; invalid ones become U+FFFD.
    @inline(never)
    package var utf8Text: String { String(decoding: self, as: UTF8.self) }
}

extension UInt8 {
    fileprivate var isText: Bool { self != 0x20 && self != 0x09 }
}
