/// The headers of a request or a response, in order. Names ignore case, and may repeat.
///
/// ```swift
/// var headers: HTTPHeaders { [.accept: "application/json", "X-Version": "3", .ifNoneMatch: etag] }
/// ```
///
/// A nil value omits its header. Names must be tokens, values must not contain control characters other than tabs (RFC
/// 9110, sections 5.1 and 5.5), and `Content-Length` and `Transfer-Encoding` are set by the engine: otherwise
/// ``APIRequest/httpRequest()`` throws a ``RequestError``.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The header's name.
        public var name: Name
        /// The header's value, as it is sent.
        public var value: String

        /// Creates a header.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Creates an empty list of headers.
    public init() {}

    /// Creates headers from fields, in their order.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The value of a header, nil if it is missing; repeated values are joined by `", "` (RFC 9110, section 5.3), those
    /// of `Cookie` by `"; "` (RFC 6265, section 4.2.1).
    ///
    /// `Set-Cookie` cannot be joined: this returns the first value, ``values(for:)`` all of them. Setting a value
    /// replaces the first header of that name and removes the others; setting nil removes all.
    public subscript(name: Name) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            let isRepeated = name != .setCookie && fields[(first + 1)...].contains { $0.name == name }
            let separator = name == .cookie ? "; " : ", "
            return isRepeated ? values(for: name).joined(separator: separator) : fields[first].value
        }
        set {
            guard let first = fields.firstIndex(where: { $0.name == name }) else {
                if let newValue { append(newValue, for: name) }
                return
            }
            var replaced = fields[first]
            fields.removeAll { $0.name == name }
            guard let newValue else { return }
            replaced.value = newValue
            fields.insert(replaced, at: first)
        }
    }

    /// Every value of a header, in order.
    public func values(for name: Name) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Appends a header, even if there is one of that name already.
    public mutating func append(_ value: String, for name: Name) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds the headers of `others` whose names are missing here; existing headers take precedence.
    public mutating func addMissing(from others: HTTPHeaders) {
        let ownCount = fields.count
        for field in others where !fields[..<ownCount].contains(where: { $0.name == field.name }) {
            fields.append(field)
        }
    }

    /// Removes every header that satisfies a condition.
    public mutating func removeAll(where shouldRemove: (Field) throws -> Bool) rethrows {
        try fields.removeAll(where: shouldRemove)
    }
}

// MARK: - Collection, literals, text

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first header.
    public var startIndex: Int { fields.startIndex }
    /// The position after the last header.
    public var endIndex: Int { fields.endIndex }
    /// The header at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers in the literal's order; a nil value omits its header.
    public init(dictionaryLiteral elements: (Name, String?)...) {
        fields.reserveCapacity(elements.count)
        for (name, value) in elements {
            if let value { append(value, for: name) }
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One header per line, with secret values masked.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// The name and the value, with secrets masked.
    public var description: String {
        "\(name): \(SecretNames.contains(name.rawValue) ? Masking.mask : Masking.masked(value))"
    }
}
