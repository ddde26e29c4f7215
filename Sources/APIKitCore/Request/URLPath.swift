/// The path of an endpoint, written as a string literal and appended to the path of the base URL.
///
/// ```swift
/// var path: URLPath { "repos/\(owner)/\(name)/issues/\(number)" }
/// ```
///
/// In literal text, bytes that RFC 3986 forbids are encoded and a valid `%XX` is kept. Each value is text inside one
/// segment and is percent-encoded, so that no value can add a segment, a query or a fragment. `\(segments: "a/b")`
/// keeps the slashes of its value. A leading slash changes nothing; an empty path adds nothing.
/// `\(owner, name: "owner")` names a value in ``Call/pathTemplate``, and changes nothing else.
///
/// ``APIRequest/httpRequest()`` throws a ``RequestError`` for a literal `?` or `#`, for an absolute URL, for an empty
/// value, and for a segment that is `.` or `..`, since clients and servers disagree about what those mean. That
/// includes a piece of a segment between encoded slashes or backslashes, as in the value `../x`: servers that decode
/// before they split resolve it.
public struct URLPath: Sendable, Hashable {
    /// The path as it is sent, without that of the base URL.
    private(set) var encoded: String
    /// The first problem of the path.
    private(set) var problem: String?
    /// Whether the path has values, and not their names in place of them.
    private var hasValues = false
    /// Whether paths are created with the names of their values in place of them.
    @TaskLocal private static var isTemplate = false

    private init(encoded: String) {
        self.encoded = encoded
    }

    /// - Throws: ``RequestError`` with the first problem of the path.
    package func validate() throws(RequestError) {
        if let problem { throw RequestError(.path, problem) }
        guard !beginsWithScheme else {
            let text = Masking.masked(encoded).debugDescription
            throw RequestError(
                .path, "the path \(text) is an absolute URL: return it as `base`, with an empty path, instead")
        }
        guard !Self.holdsDotSegment(encoded) else {
            let text = encoded.debugDescription
            throw RequestError(.path, "the path \(text) has a segment that is \".\" or \"..\", encoded or not")
        }
    }

    /// Whether the path is a URL with a scheme, such as `https://h/x`, which would be appended to the base URL.
    private var beginsWithScheme: Bool {
        guard !encoded.allBytesSatisfy({ $0 != UInt8(ascii: ":") }) else { return false }
        let bytes = encoded.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex else { return false }
        return bytes[colon...].starts(with: "://".utf8)
            && bytes[..<colon].allSatisfy { ByteSet.unreserved.contains($0) || $0 == UInt8(ascii: "+") }
    }

    /// Whether a segment is one or two dots, also if dots, slashes or backslashes are percent-encoded (RFC 3986,
    /// sections 3.3 and 6.2.2).
    package static func holdsDotSegment(_ path: String) -> Bool {
        guard !path.allBytesSatisfy({ $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "%") }) else { return false }
        let bytes = Array(path.removingPercentEncodingOfASCII.utf8)
        let segments = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return segments.contains { (1...2).contains($0.count) && $0.allSatisfy { $0 == UInt8(ascii: ".") } }
    }
}

extension URLPath {
    /// Whether two paths are the same as sent, however they are composed.
    public static func == (left: URLPath, right: URLPath) -> Bool {
        left.encoded == right.encoded && left.problem == right.problem
    }

    /// Hashes the path as it is sent.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(encoded)
    }
}

extension URLPath {
    package static func template(of endpoint: some APIRequest) -> String? {
        let path = $isTemplate.withValue(true) { endpoint.path }
        return path.hasValues ? nil : "/\(path.encoded.drop { $0 == "/" })"
    }
}

// MARK: - Literals

extension URLPath: ExpressibleByStringInterpolation {
    /// Creates a path from literal text.
    public init(stringLiteral value: String) {
        if value.allBytesSatisfy({ ByteSet.path.contains($0) }) {
            self.init(encoded: value)
        } else {
            self.init(stringInterpolation: StringInterpolation(literal: value))
        }
    }

    /// Creates a path from literal text and values.
    public init(stringInterpolation: StringInterpolation) {
        encoded = String(decoding: stringInterpolation.bytes, as: UTF8.self)
        problem = stringInterpolation.problem
        hasValues = stringInterpolation.hasValues
    }

    /// Collects the literal text and the values of a path.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate private(set) var bytes: [UInt8] = []
        fileprivate private(set) var problem: String?
        fileprivate private(set) var hasValues = false
        private let isTemplate = URLPath.isTemplate

        /// Creates an empty path with room for its text and values.
        public init(literalCapacity: Int, interpolationCount: Int) {
            bytes.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        fileprivate init(literal: String) {
            self.init(literalCapacity: literal.utf8.count, interpolationCount: 0)
            appendLiteral(literal)
        }

        /// Appends literal text: forbidden bytes are encoded, a valid `%XX` is kept.
        public mutating func appendLiteral(_ literal: String) {
            let text = Array(literal.utf8)
            if let mark = text.first(where: "?#".utf8.contains) {
                let mark = Unicode.Scalar(mark)
                note("the path \(literal.debugDescription) holds a \"\(mark)\": a query goes into `parameters`")
            }
            bytes += text[...].percentEncodingStrayBytes(allBut: .path)
        }

        /// Appends text inside one segment: all but unreserved bytes are encoded (RFC 3986, section 2.3).
        public mutating func appendInterpolation(_ value: some StringProtocol, name: String = "") {
            if value.isEmpty { noteEmptyValue() }
            append(value, .query, name)
        }

        /// Appends an integer.
        public mutating func appendInterpolation(_ value: some BinaryInteger, name: String = "") {
            appendInterpolation(value.description, name: name)
        }

        /// Appends a UUID in upper case, as Foundation writes it.
        public mutating func appendInterpolation(_ value: UUID, name: String = "") {
            appendInterpolation(value.uuidString, name: name)
        }

        /// Appends the text of an enum or of an identifier type.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value, name: String = "")
        where Value.RawValue: StringProtocol {
            appendInterpolation(value.rawValue, name: name)
        }

        /// Appends the number of an enum or of an identifier type.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value, name: String = "")
        where Value.RawValue: BinaryInteger {
            appendInterpolation(value.rawValue, name: name)
        }

        /// Appends text whose slashes separate segments, such as the name of a file in a repository.
        public mutating func appendInterpolation(segments value: some StringProtocol, name: String = "") {
            if value.utf8.allSatisfy({ $0 == UInt8(ascii: "/") }) { noteEmptyValue() }
            append(value, Self.segments, name)
        }

        /// Unavailable: a path cannot hold an optional value.
        @available(*, unavailable, message: "a path takes a string, integer, UUID or enum: unwrap the optional first")
        public mutating func appendInterpolation<Value>(_ value: Value?, name: String = "") {}

        /// Unavailable: there are many ways to write a date or another value.
        @available(*, unavailable, message: "a path takes a string, integer, UUID or enum: format the value first")
        public mutating func appendInterpolation<Value>(_ value: Value, name: String = "") {}

        private static let segments = PercentEncoding(allBut: .unreserved.union("/"))

        private mutating func append(_ value: some StringProtocol, _ encoding: PercentEncoding, _ name: String) {
            guard isTemplate else {
                hasValues = true
                return bytes.append(String(value), percentEncoded: encoding)
            }
            bytes += "{\(name)}".utf8
        }

        private mutating func noteEmptyValue() {
            note("a value in the path is empty, so the path would name something else")
        }

        private mutating func note(_ message: String) {
            problem = problem ?? message
        }
    }
}

extension URLPath: CustomStringConvertible {
    /// The path as it is sent, without that of the base URL.
    public var description: String { encoded }
}
