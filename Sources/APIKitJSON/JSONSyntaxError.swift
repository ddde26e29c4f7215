/// What was expected at the first byte of a text that is not JSON.
struct JSONSyntaxError: Error {
    private let expected: String
    private let index: Int

    init(expected: String, at index: Int) {
        self.expected = expected
        self.index = index
    }

    /// The error that a decoder throws, with the line and the column, which counts characters from 1.
    func decodingError(in text: JSONText) -> DecodingError {
        var (line, column) = (1, 1)
        for position in 0..<min(index, text.count) {
            let byte = text[position]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && text[position + 1] != UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        let place = index >= text.count ? "at its end" : "at line \(line), column \(column)"
        let problem =
            text.count == 0 ? "there is no JSON, but an empty body" : "invalid JSON \(place): expected \(expected)"
        return .dataCorrupted(.init(codingPath: [], debugDescription: problem))
    }
}
