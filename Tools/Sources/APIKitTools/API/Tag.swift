/// A value of the member that identifies the variants of a union.
enum Tag: Hashable {
    case text(String)
    /// A number, as a Swift literal.
    case number(String)
    case boolean(Bool)

    /// The text; nil for other values.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value in words, for names and for the order of tags.
    var word: String {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .boolean(let flag): "\(flag)"
        }
    }

    /// The value as code.
    var literal: String {
        switch self {
        case .text(let text): Lines.literal(text)
        case .number(let number): Lines.number(number)
        case .boolean(let flag): "\(flag)"
        }
    }
}

extension Tag: Comparable {
    /// Texts come first, in alphabetical order, then numbers by their value, and then Booleans.
    static func < (left: Tag, right: Tag) -> Bool {
        switch (left, right) {
        case (.number(let first), .number(let second)):
            guard let first = Double(first), let second = Double(second), first != second else { return first < second }
            return first < second
        case _ where left.order == right.order: return left.word < right.word
        default: return left.order < right.order
        }
    }

    private var order: Int {
        switch self {
        case .text: 0
        case .number: 1
        case .boolean: 2
        }
    }
}

extension Tag {
    /// The value of a key in the `mapping` of a discriminator, whose keys are always texts, if the tag's member has
    /// values of some kind: the number 1 for the key `1` and a whole number.
    init(mapped text: String, kind: Schema.Kind?) {
        let flag = Bool(text)
        if kind == .boolean, let flag {
            self = .boolean(flag)
        } else if kind?.isNumber == true, let literal = Self.numberLiteral(text) {
            self = .number(literal)
        } else {
            self = .text(text)
        }
    }

    /// A number in JSON as a Swift literal, in the form that constants have: `1` for `1.0`. Nil for other texts.
    private static func numberLiteral(_ text: String) -> String? {
        if let number = Int64(text) { return String(number) }
        guard let number = Double(text), number.isFinite else { return nil }
        if let whole = Int64(exactly: number) { return String(whole) }
        return number.description
    }
}

/// The Swift type that a union reads the member with its tags as.
enum TagType {
    case text, boolean
    /// A number, with its kind.
    case number(Schema.Kind)
    /// Any JSON, since the tags have several types.
    case any

    /// The type that has all of some tags.
    init(of tags: [Tag]) {
        let areTexts = tags.allSatisfy { $0.text != nil }
        let areBooleans = tags.allSatisfy { if case .boolean = $0 { true } else { false } }
        let numbers = tags.compactMap { if case .number(let number) = $0 { number } else { nil } }
        if areTexts {
            self = .text
        } else if areBooleans {
            self = .boolean
        } else if numbers.count == tags.count {
            self = .number(Self.kind(of: numbers))
        } else {
            self = .any
        }
    }

    /// The kind of some numbers. An `Int` may have 32 bits.
    private static func kind(of numbers: [String]) -> Schema.Kind {
        if numbers.allSatisfy({ Int32($0) != nil }) { return .integer(.int) }
        if numbers.allSatisfy({ Int64($0) != nil }) { return .integer(.int64) }
        if numbers.allSatisfy({ UInt64($0) != nil }) { return .integer(.uint64) }
        return .number
    }

    /// The name of the type in Swift.
    var name: String {
        switch self {
        case .text: "String"
        case .boolean: "Bool"
        case .number(.integer(let type)): type.rawValue
        case .number: "Double"
        case .any: "JSONValue"
        }
    }
}
