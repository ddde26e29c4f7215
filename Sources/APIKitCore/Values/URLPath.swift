import APIKitSupport

/// The path of an endpoint, written as a string literal and appended to the path of the base URL.
///
/// ```swift
/// var path: URLPath { "repos/\(owner)/\(name)/issues/\(number)" }
/// ```
///
/// In literal text, bytes that RFC 3986 forbids are encoded and a valid `%XX` is kept. Each value is text inside one
/// segment and is percent-encoded, except for letters, digits and `-._~:@`, so that no value can add a segment, a query
/// or a fragment. `\(segments: "a/b")` keeps the slashes of its value; without any segment, one of the slashes around
/// it is left out too. A list, as in `\(segments: ["a", "b"])`, is one segment for each element. A leading slash
/// changes nothing; an empty path adds nothing. `\(list: value)` also encodes `:` and `@` (RFC 6570, section 3.2.2).
///
/// `\(owner, name: "owner")` names a value in ``Call/pathTemplate``. A value with the name of a secret, such as
/// `guestToken`, or with one of ``RequestOptions/secretNames`` is masked in descriptions, errors and logs.
///
/// ``APIRequest/httpRequest()`` throws a ``RequestError`` for a literal `?` or `#`, for an absolute URL, for an empty
/// value, and for a segment that is `.` or `..`, since clients and servers disagree about what those mean. That
/// includes a piece of a segment between encoded slashes or backslashes, as in the value `../x`: servers that decode
/// before they split resolve it.
public struct URLPath: Sendable, Hashable {
    /// The path as it is sent, without the base URL's path.
    private(set) var encoded: String
    /// The first problem of the path.
    private var problem: Problem?
    /// The values that were interpolated with a name.
    private(set) var namedValues: [NamedPathValue] = []
    /// The path with the names of its values in their place; nil if it was created without values.
    private var pattern: [UInt8]?

    private init(encoded: String) {
        self.encoded = encoded
    }

    /// - Throws: ``RequestError`` with the first problem of the path.
    package func validate() throws(RequestError) {
        if let problem { throw RequestError(.path, message(about: problem)) }
        guard !encoded.hasDotSegment else {
            let text = encoded.debugDescription
            throw RequestError(.path, "the path \(text) has a segment that is \".\" or \"..\", encoded or not")
        }
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
    enum Problem: Sendable, Equatable {
        /// A `?` or a `#` in literal text.
        case mark(Unicode.Scalar, literal: String)
        /// A value without text; its name may be empty too.
        case emptyValue(name: String)
        /// A value that a path cannot hold, and why.
        case invalidValue(String)
        /// Literal text that is a URL with a scheme, such as `https://h/x`. It would be appended to the base URL.
        case absoluteURL
    }

    /// Returns the message of the error for a problem.
    private func message(about problem: Problem) -> String {
        switch problem {
        case .mark(let mark, let literal):
            return "the path \(literal.debugDescription) holds a \"\(mark)\": a query goes into `parameters`"
        case .emptyValue(let name):
            let value = name.isEmpty ? "a value" : "the value \(name.debugDescription)"
            return "\(value) in the path \(encoded.debugDescription) is empty, so the path would name something else"
        case .invalidValue(let problem):
            return "the path \(encoded.debugDescription) has an invalid value: \(problem)"
        case .absoluteURL:
            let text = Masking.masked(encoded).debugDescription
            return "the path \(text) is an absolute URL: return it as `base`, with an empty path, instead"
        }
    }
}

extension URLPath {
    /// The path with each value replaced by its name in braces, or by `{}` if it has none: `/users/{login}`.
    package var template: String {
        let text = pattern.map { String(decoding: $0, as: UTF8.self) } ?? encoded
        return "/\(text.drop { $0 == "/" })"
    }
}

// MARK: - Literals

extension URLPath: ExpressibleByStringInterpolation {
    /// Creates a path from literal text.
    public init(stringLiteral value: String) {
        // A colon may be the end of a scheme, which is checked only for an interpolation.
        let path = ByteSet.path
        let isPlain = value.allBytesSatisfy { path.contains($0) && $0 != UInt8(ascii: ":") }
        if isPlain {
            self.init(encoded: value)
        } else {
            self.init(stringInterpolation: StringInterpolation(literal: value))
        }
    }

    /// Creates a path from literal text and values.
    public init(stringInterpolation: StringInterpolation) {
        var interpolation = stringInterpolation
        interpolation.removeOmittedSlash()
        interpolation.checkScheme()
        encoded = String(decoding: interpolation.bytes, as: UTF8.self)
        problem = interpolation.problem
        pattern = interpolation.pattern
        namedValues = interpolation.namedValues
    }

    /// Collects the literal text and the values of a path.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate private(set) var bytes: [UInt8] = []
        fileprivate private(set) var problem: Problem?
        /// The path with names in place of values.
        fileprivate private(set) var pattern: [UInt8] = []
        fileprivate private(set) var namedValues: [NamedPathValue] = []
        /// Whether the last value had no segments, so that one of the slashes around it is left out.
        private var omitsSlash = false
        /// Where the first colon of the path is; nil if it has none so far.
        private var firstColon: Origin?

        private enum Origin { case literal, value }

        /// Creates an empty path with room for its text and values.
        public init(literalCapacity: Int, interpolationCount: Int) {
            // Room for a usual value; the array grows if values are longer.
            let usualValueSize = 16
            let capacity = literalCapacity + interpolationCount * usualValueSize
            bytes.reserveCapacity(capacity)
            pattern.reserveCapacity(capacity)
        }

        fileprivate init(literal: String) {
            self.init(literalCapacity: literal.utf8.count, interpolationCount: 0)
            appendLiteral(literal)
        }

        /// Appends literal text: forbidden bytes are encoded, a valid `%XX` is kept.
        public mutating func appendLiteral(_ literal: String) {
            if literal.isEmpty { return }
            let bytesOfLiteral = Array(literal.utf8)
            if let mark = bytesOfLiteral.first(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) {
                note(.mark(Unicode.Scalar(mark), literal: literal))
            }
            let text = bytesOfLiteral[...].percentEncodingStrayBytes(allBut: .path)
            pattern += text
            noteColon(in: text, of: .literal)
            let hasOmittedSlash = omitsSlash && endsSegment && text.first == UInt8(ascii: "/")
            bytes += text.dropFirst(hasOmittedSlash ? 1 : 0)
            omitsSlash = false
        }

        /// Whether the path so far is empty or ends with a slash.
        private var endsSegment: Bool { bytes.isEmpty || bytes.last == UInt8(ascii: "/") }

        /// Removes the slash before a last value without segments.
        fileprivate mutating func removeOmittedSlash() {
            if omitsSlash, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        }

        /// Remembers where the first colon of the path is.
        private mutating func noteColon(in text: some Sequence<UInt8>, of origin: Origin) {
            if firstColon == nil, text.contains(UInt8(ascii: ":")) { firstColon = origin }
        }

        /// Notes a problem if the path begins with a scheme. A colon in a value does not end a scheme: the path follows
        /// the slash after the base URL, so that the colon is part of a segment (RFC 3986, section 3.3).
        fileprivate mutating func checkScheme() {
            if firstColon == .literal, bytes[...].startsWithScheme { note(.absoluteURL) }
        }

        /// Appends text inside one segment: all bytes but the unreserved ones, `:` and `@` are encoded (RFC 3986,
        /// sections 2.3 and 3.3).
        public mutating func appendInterpolation(_ value: some StringProtocol, name: String = "") {
            if value.isEmpty { note(.emptyValue(name: name)) }
            append(value, .pathValue, name)
        }

        /// Appends an integer.
        public mutating func appendInterpolation(_ value: some BinaryInteger, name: String = "") {
            appendInterpolation(value.description, name: name)
        }

        /// Appends a UUID in upper case, as Foundation writes it.
        public mutating func appendInterpolation(_ value: UUID, name: String = "") {
            appendInterpolation(value.uuidString, name: name)
        }

        /// Appends a day, such as `2026-11-20`.
        public mutating func appendInterpolation(_ value: DateOnly, name: String = "") {
            appendInterpolation(value.description, name: name)
        }

        /// Appends a time of day, such as `18:30:00`.
        public mutating func appendInterpolation(_ value: TimeOnly, name: String = "") {
            appendInterpolation(value.description, name: name)
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
        ///
        /// Text without any segment, `""` or `"/"`, appends nothing. The slash after it is left out too or, at the end
        /// of the path, the one before it: `contents/\(segments: "")` is `contents`, the root of the repository.
        public mutating func appendInterpolation(segments value: some StringProtocol, name: String = "") {
            let hasSegments = !String(value).allBytesSatisfy { $0 == UInt8(ascii: "/") }
            if hasSegments {
                append(value, Self.segments, name)
            } else {
                pattern += "{\(name)}".utf8
                omitsSlash = true
            }
        }

        /// Appends texts as one segment each: `files/\(segments: ["docs", "a/b"])` is `files/docs/a%2Fb`.
        ///
        /// An empty list appends nothing, and leaves out a slash as text without any segment does. An empty element is
        /// an error.
        public mutating func appendInterpolation(segments values: [some StringProtocol], name: String = "") {
            guard !values.isEmpty else {
                appendInterpolation(segments: "", name: name)
                return
            }
            if values.contains(where: \.isEmpty) { note(.emptyValue(name: name)) }
            var path: [UInt8] = []
            var segments: [[UInt8]] = []
            for value in values {
                var segment: [UInt8] = []
                segment.append(String(value), percentEncoded: .pathValue)
                if !segments.isEmpty { path.append(UInt8(ascii: "/")) }
                path += segment
                segments.append(segment)
            }
            append(encoded: path, name, values: segments)
        }

        /// Unavailable: a path cannot hold an optional value.
        @available(*, unavailable, message: "a path takes a string, integer, UUID or enum: unwrap the optional first")
        public mutating func appendInterpolation<Value>(_ value: Value?, name: String = "") {}

        /// Unavailable: there are many ways to write a date or another value.
        @available(
            *, unavailable,
            message: "a path takes a string, integer, UUID or enum, or \\(list: values): format the value first"
        )
        public mutating func appendInterpolation<Value>(_ value: Value, name: String = "") {}

        private static let segments = PercentEncoding(allBut: .pathValue.union("/"))

        /// Appends a value to the path, and its name to the pattern.
        private mutating func append(_ value: some StringProtocol, _ encoding: PercentEncoding, _ name: String) {
            var encoded: [UInt8] = []
            encoded.append(String(value), percentEncoded: encoding)
            append(encoded: encoded, name, values: [encoded])
        }

        /// Appends a value that is percent-encoded to the path, and its name to the pattern.
        ///
        /// - Parameters:
        ///   - value: The bytes as they are sent.
        ///   - name: The name; empty if the value has none.
        ///   - secretParts: What has to be masked if the name belongs to a secret: the elements of a list, for example.
        mutating func append(encoded value: [UInt8], _ name: String, values secretParts: [[UInt8]]) {
            // A slash is left out only beside a text without segments, and this value is one.
            omitsSlash = false
            pattern += "{\(name)}".utf8
            // A path that looks like a whole URL is an error only if the colon after the scheme is from the literal.
            noteColon(in: value, of: .value)
            bytes += value
            if name.isEmpty { return }
            for part in secretParts { addNamedValue(Array(name.utf8), part) }
        }

        /// Adds a value as it is sent, which has to be masked if its name belongs to a secret.
        mutating func addNamedValue(_ name: [UInt8], _ value: [UInt8]) {
            if value.isEmpty { return }
            let name = String(decoding: name, as: UTF8.self)
            namedValues.append(NamedPathValue(name: name, text: String(decoding: value, as: UTF8.self)))
        }

        /// Keeps a problem, unless there was another one before.
        mutating func note(_ problem: Problem) {
            self.problem = self.problem ?? problem
        }
    }
}

extension URLPath: CustomStringConvertible {
    /// The path as it is sent, without the base URL's path.
    public var description: String { encoded }
}
