#if os(Linux)
import APIKitCore

/// Collects the lines of a response's head, as libcurl gives them.
struct HeadReader {
    private var status = 0
    private var fields: [HTTPHeaders.Field] = []
    private var size = 0
    /// Whether the head is complete; what comes then is trailers, which are ignored.
    private(set) var isComplete = false

    /// Heads that are longer, the informational ones included, are refused: libcurl before 8.3 has no limit.
    private static let sizeLimit = 512 << 10

    /// Takes a line.
    ///
    /// - Returns: The status and the headers after the empty line of a final response, otherwise nil.
    /// - Throws: `TransportError` with the code `badResponse` if the head is too long.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(TransportError) -> (status: Int, headers: HTTPHeaders)? {
        guard !isComplete else { return nil }
        size += line.count
        guard size <= Self.sizeLimit else {
            throw TransportError(.badResponse, "the head of the response is longer than \(Self.sizeLimit) bytes")
        }
        let line = line.trimmingSuffix { $0 == 0x0A || $0 == 0x0D }
        if line.starts(with: "HTTP/".utf8) {
            fields.removeAll(keepingCapacity: true)
            status = Self.status(line)
        } else if line.isEmpty {
            isComplete = status >= 200
            return isComplete ? (status, HTTPHeaders(fields)) : nil
        } else {
            take(field: line)
        }
        return nil
    }

    private mutating func take(field line: Slice<UnsafeRawBufferPointer>) {
        if Self.isBlank(line[line.startIndex]), let last = fields.indices.last {
            // A folded line (RFC 9112, section 5.2).
            fields[last].value += " \(Self.text(line))"
        } else if let colon = line.firstIndex(of: 0x3A) {
            let name = HTTPHeaders.Name(rawValue: Self.text(line[..<colon]))
            fields.append(HTTPHeaders.Field(name: name, value: Self.text(line[(colon + 1)...])))
        }
    }

    /// The number after the first space; 0 if there is none.
    private static func status(_ line: Slice<UnsafeRawBufferPointer>) -> Int {
        let digits = line.drop { $0 != 0x20 }.dropFirst().prefix { 0x30...0x39 ~= $0 }
        return digits.prefix(4).reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The text between blanks: in UTF-8 or, if it is not, in Latin-1 (RFC 9110, section 5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let trimmed = bytes.drop(while: isBlank).trimmingSuffix(while: isBlank)
        return String(validating: trimmed, as: UTF8.self)
            ?? String(String.UnicodeScalarView(trimmed.map { Unicode.Scalar($0) }))
    }
}

extension BidirectionalCollection where SubSequence == Self {
    fileprivate func trimmingSuffix(while isDropped: (Element) -> Bool) -> Self {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func trimmingSuffix(while isDropped: (UInt8) -> Bool) -> Slice<UnsafeRawBufferPointer> {
        self[...].trimmingSuffix(while: isDropped)
    }
}
#endif
