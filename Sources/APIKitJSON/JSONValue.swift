/// Any JSON value (RFC 8259), for what has no model: a member of free form, a document, a setting.
///
/// ```swift
/// struct Plugin: JSONResponse {
///     let name: String
///     let settings: JSONValue
/// }
///
/// nonisolated extension Plugin {
///     var firstLanguage: String? { settings["languages"]?[0]?.string }
///     static let defaultSettings: JSONValue = [
///         "languages": ["en", "de"], "strict": true, "limit": .null,
///     ]
/// }
/// ```
///
/// It is a model, a body, and a parameter. Names are as they are in the text: key strategies do not convert them. When
/// `JSONReader` reads them, numbers keep all of their digits, and members their order. `JSONEncoder` writes members in
/// an order of its own.
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with any number of digits.
    case number(Number)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object(Object)

    /// The greatest number of nested arrays and objects of a value that is read. The functions that read, compare and
    /// write values are recursive.
    static let maximumDepth = 100
}

// MARK: - Contents

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The Bool; nil for other values.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number; nil for other values.
    public var number: Number? {
        if case .number(let number) = self { number } else { nil }
    }

    /// The text of a string; nil for other values.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array; nil for other values.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for other values.
    public var object: Object? {
        if case .object(let object) = self { object } else { nil }
    }

    /// A member of an object; nil if there is none, and for other values.
    public subscript(name: String) -> JSONValue? { object?[name] }

    /// An element of an array; nil if there is none, and for other values.
    public subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

// MARK: - Objects

extension JSONValue {
    /// The members of a JSON object, in order.
    ///
    /// ```swift
    /// if case .object(let members) = value {
    ///     for (name, value) in members { … }
    /// }
    /// ```
    ///
    /// Two objects with the same members in another order are equal. JSON allows a name to occur several times (RFC
    /// 8259, section 4): the first member of that name counts.
    public struct Object: Sendable {
        /// A name and its value.
        public typealias Member = (name: String, value: JSONValue)

        private var members: [Member]

        /// Creates an object.
        public init(_ members: some Sequence<Member> = []) {
            self.members = Array(members)
        }

        /// The value of a member; nil if there is none. Setting nil removes the member, and setting `.null` writes a
        /// null.
        ///
        /// Finding a member takes time in proportion to the number of members. To look up most of the members of a
        /// large object, read them as `[String: JSONValue]` instead.
        public subscript(name: String) -> JSONValue? {
            get { members.first { $0.name == name }?.value }
            set {
                let index = members.firstIndex { $0.name == name }
                guard let newValue else {
                    members.removeAll { $0.name == name }
                    return
                }
                if let index {
                    members[index].value = newValue
                } else {
                    members.append((name, newValue))
                }
            }
        }

        /// The members without their order; of several members of one name, the first.
        package var dictionary: [String: JSONValue] {
            Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
        }
    }
}

extension JSONValue.Object: Hashable {
    /// Whether both have the same members, in any order.
    public static func == (left: JSONValue.Object, right: JSONValue.Object) -> Bool {
        left.dictionary == right.dictionary
    }

    /// Hashes the members.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(dictionary)
    }
}

extension JSONValue.Object: RandomAccessCollection {
    /// The index of the first member.
    public var startIndex: Int { members.startIndex }
    /// The index after the last member.
    public var endIndex: Int { members.endIndex }

    /// The member at an index.
    public subscript(position: Int) -> Member { members[position] }
}

extension JSONValue.Object: ExpressibleByDictionaryLiteral {
    /// Creates an object of the members in a literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { (name: $0.0, value: $0.1) })
    }
}

// MARK: - Literals

// There is no conformance to `ExpressibleByNilLiteral`: in `isKnown ? value : nil`, nil would become a null.

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates a Bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .number(Number(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number.
    public init(floatLiteral value: Double) { self = .number(Number(floatLiteral: value)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Object(elements.map { (name: $0.0, value: $0.1) }))
    }
}

// MARK: - Text

extension JSONValue: CustomStringConvertible {
    /// The value as JSON on one line, with the members in their order: `{"a": [1, 2], "b": null}`.
    public var description: String { text() }

    /// The names of an object's members; empty for other values.
    package var names: [String] { object?.map(\.name) ?? [] }

    /// Returns the value as JSON.
    ///
    /// Without an indentation, it is on one line. With one, each member of an object and each element of a list has its
    /// own line, which begins with it; an element itself stays on one line.
    package func text(indent: String? = nil) -> String {
        var writer = JSONWriter(indentation: indent ?? "")
        write(to: &writer, indent == nil ? .spaced : .lines)
        return writer.text
    }

    /// Writes the value. The elements of an array stay on one line, in any layout.
    private func write(to writer: inout JSONWriter, _ layout: JSONWriter.Layout) {
        switch self {
        case .null: writer.literal("null")
        case .bool(let value): writer.literal(value ? "true" : "false")
        case .number(let number): writer.literal(number.description)
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray(layout)
            for element in elements { element.write(to: &writer, .spaced) }
            writer.end()
        case .object(let members):
            writer.beginObject(layout)
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer, layout)
            }
            writer.end()
        }
    }
}

// MARK: - Comparing

extension JSONValue {
    /// Whether both are strings of the same bytes, numbers of the same value, the same Bool, or null.
    package func isSameScalar(as other: JSONValue) -> Bool {
        switch (self, other) {
        // Swift considers the two spellings of é equal.
        case (.string(let text), .string(let other)): text.utf8.elementsEqual(other.utf8)
        case (.number, .number), (.bool, .bool), (.null, .null): self == other
        default: false
        }
    }
}
