#if os(Linux)
import APIKitCore

/// Collects the lines of a response's head, as libcurl gives them.
struct HeadReader {
    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []
    private var size = 0
    /// Whether the head is complete; what comes then is trailers, which are ignored.
    private(set) var isComplete = false
    /// Whether the server has asked for the request's body by a 100, or needs it no more.
    private(set) var mayContinue = false

    /// Heads that are longer are refused, informational ones and trailers included: not every libcurl has a limit.
    private static let sizeLimit = 512 << 10

    /// Takes a line.
    ///
    /// - Returns: The status and the headers after the empty line of a final response, otherwise nil.
    /// - Throws: `TransportError` with the code `badResponse` if the head is malformed or too long.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(TransportError) -> (status: Int, headers: HTTPHeaders)? {
        size += line.count
        guard size <= Self.sizeLimit else {
            throw TransportError(.badResponse, "the head of the response is longer than \(Self.sizeLimit) bytes")
        }
        if isComplete { return nil }
        let line = Self.withoutEnd(line[...])
        // RFC 9112, section 2.2, and RFC 9110, section 5.5.
        guard !line.contains(where: { $0 == 0x0D || $0 == 0 }) else {
            throw TransportError(.badResponse, "the head of the response contains a bare CR or a NUL")
        }
        guard let status else {
            self.status = try Self.status(line)
            fields.reserveCapacity(16)
            return nil
        }
        if !line.isEmpty {
            try take(field: line)
            return nil
        }
        isComplete = status >= 200
        mayContinue = mayContinue || isComplete || status == 100
        if isComplete { return (status, HTTPHeaders(fields)) }
        (self.status, fields) = (nil, [])
        return nil
    }

    private mutating func take(field line: Slice<UnsafeRawBufferPointer>) throws(TransportError) {
        if Self.isBlank(line[line.startIndex]), let last = fields.indices.last {
            // A folded line (RFC 9112, section 5.2).
            fields[last].value += " \(Self.text(line))"
        } else if let colon = line.firstIndex(of: 0x3A) {
            let name = HTTPHeaders.Name(rawValue: Self.text(line[..<colon]))
            fields.append(HTTPHeaders.Field(name: name, value: Self.text(line[(colon + 1)...])))
        } else {
            // Not every libcurl refuses it.
            throw TransportError(.badResponse, "the head of the response contains a line without a colon")
        }
    }

    /// The status of a status line (RFC 9112, section 4). 101 is for connections that become something else, which no
    /// request here asks for.
    private static func status(_ line: Slice<UnsafeRawBufferPointer>) throws(TransportError) -> Int {
        let rest = line.drop { $0 != 0x20 }.dropFirst()
        let digits = rest.prefix { $0 != 0x20 }
        let isNumber = digits.count == 3 && digits.allSatisfy { 0x30...0x39 ~= $0 }
        let status = isNumber ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : 0
        guard line.starts(with: "HTTP/".utf8), status >= 100, status != 101 else {
            throw TransportError(.badResponse, "invalid status line")
        }
        return status
    }

    /// The line without its CR LF, or LF.
    private static func withoutEnd(_ line: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        var line = line
        if line.last == 0x0A { line.removeLast() }
        if line.last == 0x0D { line.removeLast() }
        return line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// The text between blanks: in UTF-8 or, if it is not, in Latin-1 (RFC 9110, section 5.5).
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let trimmed = UnsafeRawBufferPointer(rebasing: trimmed(bytes.drop(while: isBlank), isBlank))
        // This runs for each header of each response, and validating costs ten times as much.
        if trimmed.allSatisfy({ $0 < 0x80 }) { return String(decoding: trimmed, as: UTF8.self) }
        return String(validating: trimmed, as: UTF8.self)
            ?? String(String.UnicodeScalarView(trimmed.map { Unicode.Scalar($0) }))
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>, _ isDropped: (UInt8) -> Bool
    ) -> Slice<UnsafeRawBufferPointer> {
        var bytes = bytes
        while let last = bytes.last, isDropped(last) { bytes.removeLast() }
        return bytes
    }
}
#endif
