/// The headers of a request or a response: ordered, with names that ignore case, repeats kept.
///
/// ```swift
/// var headers: HTTPHeaders { [.accept: "application/json", "X-Version": "3", .ifNoneMatch: etag] }
/// ```
///
/// A nil value leaves its header out. Names must be tokens, values hold no control character but a tab (RFC 9110,
/// sections 5.1 and 5.5), and `Content-Length` and `Transfer-Encoding` belong to the engine: otherwise
/// ``APIRequest/httpRequest()`` throws a ``RequestError``.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header: a name and a value.
    public struct Field: Sendable, Hashable {
        /// The header's name.
        public var name: Name
        /// The header's value, as it stands on the wire.
        public var value: String

        /// Makes a header of a name and a value.
        public init(name: Name, value: String) {
            self.name = name
            self.value = value
        }
    }

    private var fields: [Field] = []

    /// Makes an empty list of headers.
    public init() {}

    /// Makes headers from fields, in their order.
    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The value of a header, nil where there is none; repeats are joined by `", "` (RFC 9110, section 5.3), those
    /// of `Cookie` by `"; "` (RFC 6265, section 4.2.1).
    ///
    /// `Set-Cookie` cannot be joined: this gives the first of them, ``values(for:)`` all. Setting replaces every header
    /// of that name in place of the first; setting nil removes them.
    public subscript(name: Name) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            let isRepeated = name != .setCookie && fields[(first + 1)...].contains { $0.name == name }
            let separator = name == .cookie ? "; " : ", "
            return isRepeated ? values(for: name).joined(separator: separator) : fields[first].value
        }
        set {
            let first = fields.firstIndex { $0.name == name }
            guard let newValue else {
                if first != nil { fields.removeAll { $0.name == name } }
                return
            }
            guard let first else { return append(name, newValue) }
            fields[first].value = newValue
            let rest = fields[(first + 1)...].filter { $0.name != name }
            fields.replaceSubrange((first + 1)..., with: rest)
        }
    }

    /// Every value of a header, in order.
    public func values(for name: Name) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// Adds a header behind the others, also when there is one of that name already.
    public mutating func append(_ name: Name, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds the headers of `others` whose names are not here yet: what stands here goes before.
    public mutating func addMissing(from others: HTTPHeaders) {
        guard !others.isEmpty else { return }
        let names = fields.map(\.name)
        fields += others.fields.filter { !names.contains($0.name) }
    }

    /// Removes every header that the condition holds for.
    public mutating func removeAll(where shouldRemove: (Field) throws -> Bool) rethrows {
        try fields.removeAll(where: shouldRemove)
    }
}

// MARK: - Collection, literals, text

extension HTTPHeaders: RandomAccessCollection {
    /// The position of the first header.
    public var startIndex: Int { fields.startIndex }
    /// The position behind the last header.
    public var endIndex: Int { fields.endIndex }
    /// The header at a position.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Makes headers in the literal's order; a nil value leaves its header out.
    public init(dictionaryLiteral elements: (Name, String?)...) {
        fields.reserveCapacity(elements.count)
        for (name, value) in elements {
            if let value { append(name, value) }
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One line a header, with secret values masked.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}

extension HTTPHeaders.Field: CustomStringConvertible {
    /// Name and value, a secret one masked.
    public var description: String {
        "\(name): \(Masking.isSecret(name.rawValue) ? Masking.mask : Masking.text(value))"
    }
}
