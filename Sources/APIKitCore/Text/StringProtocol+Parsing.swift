extension StringProtocol {
    /// The text without spaces and tabs around it. A space with a combining character is still a space.
    func trimmingSpaces() -> SubSequence {
        let isText: (Unicode.Scalar) -> Bool = { $0 != " " && $0 != "\t" }
        guard let start = unicodeScalars.firstIndex(where: isText), let last = unicodeScalars.lastIndex(where: isText)
        else { return self[startIndex..<startIndex] }
        return self[start..<unicodeScalars.index(after: last)]
    }

    /// The number that the text spells with ASCII digits only; `Int` would accept a sign too.
    var wholeNumber: Int? {
        utf8.allSatisfy(\.isASCIIDigit) ? Int(self) : nil
    }
}
