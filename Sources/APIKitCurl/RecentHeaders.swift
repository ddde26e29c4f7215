#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The header lines of recent responses. Most responses of a server repeat most lines, whose names and values are then
/// shared.
///
/// Used on one thread alone.
final class RecentHeaders {
    /// What a header says of the body.
    enum Role {
        case length(Int)
        case chunked
        /// A coding of another kind, or an invalid value.
        case unusual
        /// Nothing, but it sets a cookie.
        case cookie
        case other
    }

    private final class Entry {
        let line: [UInt8]
        let field: HTTPHeaders.Field
        let role: Role

        init(_ line: UnsafeRawBufferPointer, _ field: HTTPHeaders.Field, _ role: Role) {
            (self.line, self.field, self.role) = (Array(line), field, role)
        }
    }

    /// By a hash of the line; the newest of those with the same hash. Unchecked, since each line is an access.
    @exclusivity(unchecked) private var entries = [Entry?](repeating: nil, count: 256)

    /// The lengths of lines that are kept.
    private static let lengths = 8...128

    /// Adds the header of a line without its end, and returns its role.
    ///
    /// - Throws: `TransportError` with the code `badResponse` if the line is malformed.
    func add(_ line: UnsafeRawBufferPointer, to fields: inout [HTTPHeaders.Field]) throws(TransportError) -> Role {
        let slot = Self.lengths.contains(line.count) ? Self.slot(of: line) : nil
        if let slot, let entry = entries[slot], entry.line.count == line.count,
            acurl_are_equal(entry.line, line.baseAddress, line.count)
        {
            fields.append(entry.field)
            return entry.role
        }
        let (field, role) = try Self.read(line)
        fields.append(field)
        if let slot { entries[slot] = Entry(line, field, role) }
        return role
    }

    private static func slot(of line: UnsafeRawBufferPointer) -> Int {
        func word(_ offset: Int) -> UInt64 { line.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        var hash = UInt64(line.count)
        for offset in [0, (line.count - 8) / 2, line.count - 8] {
            hash = (hash ^ word(offset)) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
        }
        return Int(truncatingIfNeeded: hash & 255)
    }

    private static func read(
        _ line: UnsafeRawBufferPointer
    ) throws(TransportError) -> (field: HTTPHeaders.Field, role: Role) {
        try line.checkCharacters()
        guard let colon = line.firstIndex(of: 0x3A) else {
            // Not every libcurl refuses it.
            throw TransportError(.badResponse, "the head of the response contains a line without a colon")
        }
        let name = HTTPHeaders.Name(rawValue: UnsafeRawBufferPointer(rebasing: line[..<colon]).headerText)
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
        let field = HTTPHeaders.Field(name: name, value: value.headerText)
        return (field, role(of: field))
    }

    private static func role(of field: HTTPHeaders.Field) -> Role {
        switch field.name {
        case .contentEncoding: .unusual
        case .setCookie: .cookie
        case .transferEncoding: field.value.lowercased() == "chunked" ? .chunked : .unusual
        case .contentLength: Array(field.value.utf8).withUnsafeBytes { $0.wholeNumber.map(Role.length) ?? .unusual }
        default: .other
        }
    }
}
#endif
