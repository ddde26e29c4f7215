/// The error of a text that is not JSON: the index of the first wrong byte, and what was expected there.
struct JSONSyntaxError: Error {
    private let expected: String
    private let index: Int

    init(expected: String, at index: Int) {
        self.expected = expected
        self.index = index
    }

    /// Returns the `DecodingError` to throw, with the line and the column of the error.
    func decodingError(in text: borrowing JSONText) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: problem(in: text)))
    }

    /// Returns the text of the error, such as "invalid JSON at line 2, column 5: expected `:`".
    private func problem(in text: borrowing JSONText) -> String {
        if text.count == 0 { return "there is no JSON, but an empty body" }
        if index >= text.count { return "invalid JSON at its end: expected \(expected)" }
        let position = Position(of: index, in: text)
        return "invalid JSON at line \(position.line), column \(position.column): expected \(expected)"
    }

    /// A position in a text as editors show it. Lines and columns start at 1, and columns count characters, not bytes.
    private struct Position {
        private(set) var line = 1
        private(set) var column = 1

        /// Computes the line and the column of an index, by a walk through the text up to there.
        init(of index: Int, in text: borrowing JSONText) {
            for previous in 0..<index {
                let byte = text[previous]
                // A carriage return followed by a line feed is one line break, which is counted at the line feed.
                let isBeforeLineFeed = text[previous + 1] == .lineFeed
                let endsLine = byte == .lineFeed || (byte == .carriageReturn && !isBeforeLineFeed)
                // A character in UTF-8 is counted at its first byte. The others have the form 10xxxxxx.
                let isFirstOfCharacter = byte & 0b1100_0000 != 0b1000_0000
                if endsLine {
                    line += 1
                    column = 1
                } else if isFirstOfCharacter {
                    column += 1
                }
            }
        }
    }
}
