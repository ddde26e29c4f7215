/// What was expected at the first byte of a text that is not JSON.
struct JSONSyntaxError: Error {
    private let expected: String
    private let index: Int

    init(expected: String, at index: Int) {
        self.expected = expected
        self.index = index
    }

    /// The error that a decoder throws, with the line and the column.
    func decodingError(in text: JSONText) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: problem(in: text)))
    }

    private func problem(in text: JSONText) -> String {
        if text.count == 0 { return "there is no JSON, but an empty body" }
        if index >= text.count { return "invalid JSON at its end: expected \(expected)" }
        let position = Position(of: index, in: text)
        return "invalid JSON at line \(position.line), column \(position.column): expected \(expected)"
    }

    /// A place in a text as editors show it: a column is a character, and counting begins with 1.
    private struct Position {
        private(set) var line = 1
        private(set) var column = 1

        init(of index: Int, in text: JSONText) {
            for previous in 0..<index {
                let byte = text[previous]
                // A carriage return and a line feed are one line break.
                let isHalfOfBreak = byte == .carriageReturn && text[previous + 1] == .lineFeed
                let isBreak = byte == .lineFeed || byte == .carriageReturn
                // Only the first byte of a character counts.
                let isContinuation = byte & 0xC0 == 0x80
                if isBreak, !isHalfOfBreak {
                    line += 1
                    column = 1
                } else if !isContinuation {
                    column += 1
                }
            }
        }
    }
}
