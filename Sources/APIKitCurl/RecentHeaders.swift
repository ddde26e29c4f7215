#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The header lines of recent responses, with the fields that they were read as.
///
/// Most responses of a server repeat most lines of earlier ones. A repeated line is not parsed again, and its name and
/// value share their memory with the earlier field. Not thread-safe: each loop has its own.
final class RecentHeaders {
    /// The meaning of a header for the framing of the body.
    enum Role {
        case length(Int)
        case chunked
        /// The body has a content coding, or a transfer coding other than chunked, or the value is invalid.
        case unusual
        /// The header has no meaning for the framing, but sets a cookie.
        case cookie
        /// The header has no meaning here.
        case other
    }

    /// A parsed header line.
    private struct Header {
        let field: HTTPHeaders.Field
        let role: Role
    }

    private final class Entry {
        let line: [UInt8]
        let header: Header

        init(_ line: UnsafeRawBufferPointer, _ header: Header) {
            self.line = Array(line)
            self.header = header
        }

        func isFor(_ line: UnsafeRawBufferPointer) -> Bool {
            self.line.count == line.count && acurl_are_equal(self.line, line.baseAddress, line.count)
        }
    }

    /// The newest line for each slot, which is part of the line's hash. The number of slots is a power of two.
    /// Unchecked for overlapping accesses, since each header line is an access.
    @exclusivity(unchecked) private var entries = [Entry?](repeating: nil, count: 256)

    /// The lengths of lines that are kept. Shorter lines cost less to parse than to look up, and longer ones, such as
    /// cookies, are rarely repeated.
    private static let keptLengths = 8...128

    /// Appends the field of a header line.
    ///
    /// - Parameters:
    ///   - line: The line, without its line end.
    ///   - fields: The fields to append to.
    /// - Returns: The meaning of the header for the framing of the body.
    /// - Throws: `TransportError` with the code `badResponse` if the line is malformed.
    func add(_ line: UnsafeRawBufferPointer, to fields: inout [HTTPHeaders.Field]) throws(TransportError) -> Role {
        let header = try header(of: line)
        fields.append(header.field)
        return header.role
    }

    private func header(of line: UnsafeRawBufferPointer) throws(TransportError) -> Header {
        guard Self.keptLengths.contains(line.count) else { return try Self.read(line) }
        let slot = slot(of: line)
        if let entry = entries[slot], entry.isFor(line) { return entry.header }
        let header = try Self.read(line)
        entries[slot] = Entry(line, header)
        return header
    }

    private func slot(of line: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: line)
        return hasher.finalize() & (entries.count - 1)
    }

    private static func read(_ line: UnsafeRawBufferPointer) throws(TransportError) -> Header {
        try line.checkCharacters()
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            // Not every libcurl refuses such a line itself.
            throw TransportError(.badResponse, "the head of the response contains a line without a colon")
        }
        let name = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        let field = HTTPHeaders.Field(name: HTTPHeaders.Name(rawValue: name.headerText), value: value.headerText)
        return Header(field: field, role: role(of: field))
    }

    private static func role(of field: HTTPHeaders.Field) -> Role {
        switch field.name {
        case .contentEncoding:
            return .unusual
        case .transferEncoding:
            return field.value.lowercased() == "chunked" ? .chunked : .unusual
        case .contentLength:
            let length = Array(field.value.utf8).withUnsafeBytes { $0.wholeNumber }
            guard let length else { return .unusual }
            return .length(length)
        case .setCookie:
            return .cookie
        default:
            return .other
        }
    }
}
#endif
