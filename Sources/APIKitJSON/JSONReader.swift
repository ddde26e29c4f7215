/// A decoder of JSON (RFC 8259), three to six times as fast as `JSONDecoder`, that reads and refuses the same.
///
/// ```swift
/// let users = try JSONReader(keys: .convertFromSnakeCase).decode([User].self, from: data)
/// ```
///
/// The text is UTF-8, with or without a byte order mark, of up to 2 GB, in which arrays and objects nest up to 512
/// deep. If a name occurs more than once, the first one counts. Unlike `JSONDecoder` it checks all of a text, also what
/// the model leaves out, and refuses a comma after the last value. With `convertFromSnakeCase`, a key may have acronyms
/// in capitals, so that `avatarURL` finds `avatar_url`, as `avatarUrl` does; so does a key that is the name itself.
public struct JSONReader: Sendable {
    /// How names become those of a model's coding keys.
    public var keys: JSONDecoder.KeyDecodingStrategy
    /// How dates are written.
    public var dates: Dates
    /// How `Data` is written.
    public var data: JSONDecoder.DataDecodingStrategy
    /// What stands for infinity and NaN, which JSON does not have.
    public var nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy
    /// What a model's `init(from:)` finds in `decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - keys: How names become those of a model's coding keys.
    ///   - dates: How dates are written.
    ///   - data: How `Data` is written.
    ///   - nonConformingFloats: What stands for infinity and NaN, which JSON does not have.
    public init(
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys, dates: Dates = .rfc3339,
        data: JSONDecoder.DataDecodingStrategy = .base64,
        nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy = .throw
    ) {
        self.keys = keys
        self.dates = dates
        self.data = data
        self.nonConformingFloats = nonConformingFloats
    }

    /// Decodes a value.
    ///
    /// - Throws: A `DecodingError` with the coding path of the value that does not fit; for a text that is not JSON,
    ///   with its line and column; what a model's `init(from:)` throws.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try value(type, of: document(data))
    }

    /// Decodes a value from a part of an array, such as the line of a stream, which is not copied into `Data` first.
    package func decode<T: Decodable>(_ type: T.Type, from bytes: ArraySlice<UInt8>) throws -> T {
        try value(type, of: bytes.withUnsafeBytes { try JSONDocument($0, reader: self) })
    }

    private func value<T: Decodable>(_ type: T.Type, of document: JSONDocument) throws -> T {
        do {
            return try document.value(type, .top)
        } catch let error as DecodingError {
            throw document.completed(error)
        }
    }

    /// The values of a text, as they are written.
    package func document(_ data: Data) throws -> JSONDocument {
        try data.withUnsafeBytes { try JSONDocument($0, reader: self) }
    }

    /// How dates are written.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Dates: Sendable {
        /// `2026-11-20T18:30:00Z`, with or without fractions of a second, with any offset from UTC (RFC 3339, section
        /// 5.6). A leap second counts as the second after it. A time without an offset and a date without a time are
        /// errors, since the moment they mean is unknown. Years before 1582 are Gregorian too, so that the first moment
        /// of the year 1, Go's zero time, is two days after `Date.distantPast`.
        case rfc3339
        /// A number of seconds since 1970.
        case secondsSince1970
        /// A number of milliseconds since 1970.
        case millisecondsSince1970
        /// What `Date` decodes by itself: a number of seconds since 2001.
        case deferredToDate
        /// What a function decodes.
        case custom(@Sendable (any Decoder) throws -> Date)
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    var isDefault: Bool {
        if case .useDefaultKeys = self { true } else { false }
    }

    var isSnakeCase: Bool {
        if case .convertFromSnakeCase = self { true } else { false }
    }

    /// A name as a coding key spells it, in the object of a coding path.
    func converted(_ name: String, _ path: @autoclosure () -> [any CodingKey]) -> String {
        switch self {
        case .custom(let convert): convert(path() + [JSONKey.name(name)]).stringValue
        case .convertFromSnakeCase: Self.fromSnakeCase(name)
        default: name
        }
    }
}
