extension StringProtocol {
    /// The text without spaces and tabs around it. A space that carries a combining character is a space all the same.
    func trimmingSpaces() -> SubSequence {
        let isText: (Unicode.Scalar) -> Bool = { $0 != " " && $0 != "\t" }
        guard let start = unicodeScalars.firstIndex(where: isText), let last = unicodeScalars.lastIndex(where: isText)
        else { return self[startIndex..<startIndex] }
        return self[start..<unicodeScalars.index(after: last)]
    }

    /// The number that the text writes with ASCII digits alone: `Int` would take a sign too.
    var wholeNumber: Int? {
        utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(self) : nil
    }
}
