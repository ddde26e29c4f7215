/// The tokens of Swift code without comments and without the texts of literals: what no text of a description may
/// change.
///
/// A literal is the token `""`, followed by the tokens of the code that is interpolated in it.
struct SwiftTokens {
    /// The tokens.
    private(set) var all: [String] = []
    private let bytes: [UInt8]
    private var position = 0

    init(_ code: String) {
        bytes = Array(code.utf8)
        while position < bytes.count { readToken() }
    }

    private func starts(with text: String, at offset: Int = 0) -> Bool {
        bytes[min(position + offset, bytes.count)...].starts(with: text.utf8)
    }

    private mutating func readToken() {
        switch bytes[position] {
        case UInt8(ascii: " "), 0x09...0x0D: position += 1
        case UInt8(ascii: "/") where starts(with: "//"): skipLine()
        case UInt8(ascii: "/") where starts(with: "/*"): skipBlock()
        case UInt8(ascii: "\""): readLiteral(marks: 0)
        case UInt8(ascii: "#"):
            let marks = bytes[position...].prefix { $0 == UInt8(ascii: "#") }.count
            if starts(with: "\"", at: marks) {
                position += marks
                readLiteral(marks: marks)
            } else {
                readSign()
            }
        case let byte where Self.isInWord(byte): readWord()
        default: readSign()
        }
    }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private mutating func readWord() {
        let word = bytes[position...].prefix(while: Self.isInWord)
        all.append(String(decoding: word, as: UTF8.self))
        position += word.count
    }

    private mutating func readSign() {
        all.append(String(decoding: [bytes[position]], as: UTF8.self))
        position += 1
    }

    /// A comment ends where the compiler ends it: not at U+2028.
    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    }

    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                position += 2
            } else if starts(with: "*/") {
                depth -= 1
                position += 2
            } else {
                position += 1
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func readLiteral(marks: Int) {
        let hashes = String(repeating: "#", count: marks)
        let isBlock = starts(with: "\"\"\"")
        let quote = isBlock ? "\"\"\"" : "\""
        all.append("\"\"")
        position += quote.utf8.count
        while position < bytes.count {
            if starts(with: quote + hashes) {
                position += quote.utf8.count + marks
                return
            }
            if starts(with: "\\" + hashes) {
                position += 1 + marks
                if starts(with: "(") { readInterpolation() } else { position += 1 }
            } else if !isBlock, bytes[position] == 0x0A || bytes[position] == 0x0D {
                all.append("a literal without an end")
                return
            } else {
                position += 1
            }
        }
        all.append("a literal without an end")
    }

    private mutating func readInterpolation() {
        var depth = 0
        repeat {
            if starts(with: "(") { depth += 1 }
            if starts(with: ")") { depth -= 1 }
            readToken()
        } while depth > 0 && position < bytes.count
    }
}
