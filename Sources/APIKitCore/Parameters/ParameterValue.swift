/// What can stand as a value in ``Parameters``.
///
/// Strings, numbers, Bool, Date, URL, UUID, ``FilePart``, arrays and dictionaries of one such type, and enums that say
/// so: `enum Sort: String, ParameterValue { case created, updated }`. Mixed values are `.list([1, "a"])` and
/// `.object(["name": "a", "age": 7])`; `.null` sends a null, where nil leaves the parameter out.
///
/// A type of your own conforms by passing on the value of a simpler one:
///
/// ```swift
/// nonisolated extension Coordinate: ParameterValue {
///     var parameterNode: ParameterNode { "\(latitude),\(longitude)".parameterNode }
/// }
/// ```
public protocol ParameterValue: Sendable {
    /// The value, taken apart into what a query, a form and JSON can write.
    var parameterNode: ParameterNode { get }
}

/// A parameter's value, taken apart into what a query, a form and JSON can write. Made by ``ParameterValue`` types.
public struct ParameterNode: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case null
        case text(String)
        /// The digits of a finite number, valid in JSON too.
        case number(String)
        case boolean(Bool)
        /// In the style of the request, unless it has one of its own.
        case date(Date, ParameterStyle.Dates?)
        case list([ParameterNode])
        case object(Parameters)
        /// Indirect, since it is large: values inside one another take up stack as they are read and written.
        indirect case file(FilePart)
        /// Something that cannot be sent, and why.
        case invalid(String)
    }

    let content: Content
    /// How many lists and objects stand inside one another here.
    private let depth: Int
    /// Whether a file is among the values, however deep.
    let holdsFile: Bool

    /// The most lists and objects that stand inside one another. What writes them calls itself for each, which takes
    /// 1.3 KiB of stack (4 KiB in a debug build), and a thread may have no more than 512 KiB.
    static let maximumDepth = 100
    /// What is wrong with a value that holds more.
    static let tooDeep = "more than \(maximumDepth) lists and objects stand inside one another"

    init(_ content: Content) {
        let depth =
            switch content {
            case .list(let nodes): nodes.reduce(1) { max($0, $1.depth + 1) }
            case .object(let members): members.reduce(1) { max($0, $1.value.depth + 1) }
            case .null, .text, .number, .boolean, .date, .file, .invalid: 0
            }
        holdsFile =
            switch content {
            case .file: true
            case .list(let nodes): nodes.contains(where: \.holdsFile)
            case .object(let members): members.holdsFile
            case .null, .text, .number, .boolean, .date, .invalid: false
            }
        let isTooDeep = depth > Self.maximumDepth
        self.content = isTooDeep ? .invalid(Self.tooDeep) : content
        self.depth = isTooDeep ? 0 : depth
    }
}

extension ParameterNode: ParameterValue {
    /// This value itself.
    public var parameterNode: ParameterNode { self }
}

extension ParameterValue where Self == ParameterNode {
    /// A null: `null` in JSON, an empty value in a query or a form.
    public static var null: ParameterNode { ParameterNode(.null) }

    // Disfavored, so that `.list(names.flatMap { … })` is the flatMap that joins the lists of its closure.
    /// A list of values of any types; nil is left out.
    @_disfavoredOverload
    public static func list(_ values: [(any ParameterValue)?]) -> ParameterNode {
        ParameterNode(.list(values.compactMap { $0?.parameterNode }))
    }

    /// A list of values of one type.
    public static func list(_ values: some Sequence<some ParameterValue>) -> ParameterNode {
        ParameterNode(.list(values.map { $0.parameterNode }))
    }

    /// A date that is written in a style of its own, whatever the request's ``ParameterStyle/dates`` is.
    public static func date(_ date: Date, as style: ParameterStyle.Dates) -> ParameterNode {
        ParameterNode(.date(date, style))
    }

    /// An object of members of any types, in order.
    public static func object(_ members: Parameters) -> ParameterNode {
        ParameterNode(.object(members))
    }
}

// MARK: - Standard types

extension String: ParameterValue {
    /// The text.
    public var parameterNode: ParameterNode { ParameterNode(.text(self)) }
}

extension Substring: ParameterValue {
    /// The text.
    public var parameterNode: ParameterNode { ParameterNode(.text(String(self))) }
}

extension Bool: ParameterValue {
    /// `true` or `false`, or as ``ParameterStyle/booleans`` says.
    public var parameterNode: ParameterNode { ParameterNode(.boolean(self)) }
}

extension ParameterValue where Self: BinaryInteger {
    /// The number's digits.
    public var parameterNode: ParameterNode { ParameterNode(.number(description)) }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
extension Int128: ParameterValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, macCatalyst 18, *)
extension UInt128: ParameterValue {}

extension ParameterValue where Self: BinaryFloatingPoint & CustomStringConvertible {
    /// The number's shortest exact digits; infinity and NaN are refused with a ``RequestError``.
    public var parameterNode: ParameterNode {
        ParameterNode(isFinite ? .number(description) : .invalid("the number is \(description), which cannot be sent"))
    }
}

extension Double: ParameterValue {}
extension Float: ParameterValue {}

extension Decimal: ParameterValue {
    /// The number's digits; NaN is refused with a ``RequestError``.
    public var parameterNode: ParameterNode {
        ParameterNode(isNaN ? .invalid("the number is NaN, which cannot be sent") : .number(description))
    }
}

extension Date: ParameterValue {
    /// ISO 8601 in whole seconds, UTC, or as ``ParameterStyle/dates`` says.
    public var parameterNode: ParameterNode { ParameterNode(.date(self, nil)) }
}

extension URL: ParameterValue {
    /// The absolute URL.
    public var parameterNode: ParameterNode { ParameterNode(.text(absoluteString)) }
}

extension UUID: ParameterValue {
    /// The UUID, in upper case as Foundation writes it.
    public var parameterNode: ParameterNode { ParameterNode(.text(uuidString)) }
}

extension FilePart: ParameterValue {
    /// The file.
    public var parameterNode: ParameterNode { ParameterNode(.file(self)) }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value.
    public var parameterNode: ParameterNode { rawValue.parameterNode }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// A list of the elements.
    public var parameterNode: ParameterNode { ParameterNode(.list(map(\.parameterNode))) }
}

extension Set: ParameterValue where Element: ParameterValue & Comparable {
    /// A list of the elements, sorted, so that the wire is the same each time.
    public var parameterNode: ParameterNode { ParameterNode(.list(sorted().map(\.parameterNode))) }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
    /// An object of the members, sorted by key, so that the wire is the same each time.
    public var parameterNode: ParameterNode {
        ParameterNode(.object(Parameters(sorted { $0.key < $1.key }.map { ($0.key, $0.value) })))
    }
}
