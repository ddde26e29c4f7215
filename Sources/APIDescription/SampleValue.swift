import APIKitCore
import APIKitTesting

/// Creates values that a schema allows, for a response type to decode.
///
/// A sample is created several times. Wherever the schema allows several values, such as the constants of an enum, the
/// sample makes a choice. If the type cannot decode the sample, ``replaceCause(of:)`` replaces the choice that caused
/// the error, and the next value has another alternative there.
///
/// For example, the schema of a date may only say that it is a string. The first value has the text `text` there. After
/// the error that this is not a date, the next one has `2026-11-20T18:30:00Z`.
struct SampleValue {
    /// Which of the values that a schema allows is created.
    enum Variation: Equatable {
        /// A value with all members, without null.
        case full
        /// A value with only the members that are required.
        case required
        /// A value with null wherever the schema allows it.
        case null
        /// A value with the constant of each enum and the alternative of each `oneOf` or `anyOf` that has this index.
        case other(Int)
    }

    /// A place at which the schema allows several values.
    struct Choice {
        /// The path of the place in the sample, in the form of ``SampleValue/path(of:)``.
        let path: String
        /// The schema of the place, as a JSON pointer.
        let pointer: String
        /// The number of values to choose from.
        let count: Int
        /// Whether the values are guesses at what a model may decode, such as a date, since the schema allows any
        /// scalar of a type. Otherwise, the schema lists the values, so the model has to decode all of them.
        let isGuess: Bool
    }

    let variation: Variation
    /// The index of the value that is chosen at each path; 0 at all others. A full sample changes them in
    /// ``replaceCause(of:)``. Its variations have the same, except where they vary from it.
    private(set) var selectedIndexes: [String: Int]
    /// The paths at which a variation has the value of the full sample, since the model could not decode the varied
    /// value there.
    private var pathsOfFullValues: Set<String> = []
    /// The choices in the value that was created last, by their paths.
    private var choices: [String: Choice] = [:]
    /// How many schemas the current value has used.
    private var schemaCount = 0

    // Schemas can describe values of exponential size or without an end. The limits keep a sample small.
    private static let schemaLimit = 3_000
    private static let depthLimit = 12

    /// Creates a sample whose values are still to be created.
    ///
    /// - Parameters:
    ///   - variation: Which of the allowed values is created.
    ///   - selectedIndexes: The indexes of the full sample from which a variation is created.
    init(_ variation: Variation, selectedIndexes: [String: Int] = [:]) {
        self.variation = variation
        self.selectedIndexes = selectedIndexes
    }

    /// Creates the value with the choices so far; nil if that is impossible, as for a schema without a type.
    mutating func value(of schema: Node) -> JSONValue? {
        choices = [:]
        schemaCount = 0
        return value(of: schema, at: Position())
    }

    // MARK: - Paths

    /// Joins names to one text without `_` and `-` and in small letters: `["owners", "0", "avatar_url"]` becomes
    /// `/owners/0/avatarurl`. The name `avatarUrl` gives the same path, since a decoder may convert names.
    static func path(of names: some Sequence<String>) -> String {
        var path = ""
        for name in names {
            path += "/\(name.filter { $0 != "_" && $0 != "-" }.lowercased())"
        }
        return path
    }

    /// The coding path of a decoding error, including a missing key; empty for other errors.
    static func names(of error: any Error) -> [String] {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            path = context.codingPath + [key]
        case .valueNotFound(_, let context)?, .typeMismatch(_, let context)?, .dataCorrupted(let context)?:
            path = context.codingPath
        default:
            path = []
        }
        return path.map { key in
            if let index = key.intValue { return String(index) }
            return key.stringValue
        }
    }

    // MARK: - Replacing choices

    /// How many values the largest choice has, apart from guesses: the number of samples that cover all constants and
    /// alternatives. Of more than 50, the rest is not covered, since decoding that many samples takes long.
    var choiceCount: Int {
        var largest = 1
        for choice in choices.values where !choice.isGuess { largest = max(largest, choice.count) }
        return min(largest, 50)
    }

    /// Selects another value for the choice that may have caused a decoding error: the choice at the place of the error
    /// or, if that has no other value left, the nearest one around it. For example, an error at `/owner/login` may be
    /// due to the alternative that was chosen for `/owner`.
    ///
    /// - Returns: The choice that now has another value; nil if none of them has one left.
    mutating func replaceCause(of error: any Error) -> Choice? {
        let names = Self.names(of: error)
        for length in (0...names.count).reversed() {
            let path = Self.path(of: names.prefix(length))
            guard let choice = choices[path] else { continue }
            if choice.isGuess {
                // Another guess has another content, but the same type and the same place. So it only helps against an
                // error about the content of this very value.
                let isAtError = length == names.count
                guard isAtError, Self.isAboutContent(error) else { continue }
            }
            if selectNext(of: choice) { return choice }
        }
        return nil
    }

    /// Whether the decoder has found a scalar of the right type, but with the wrong content, such as a text that is not
    /// a date.
    private static func isAboutContent(_ error: any Error) -> Bool {
        switch error as? DecodingError {
        case .dataCorrupted?: true
        default: false
        }
    }

    /// Replaces the value at the place of a choice by another one.
    ///
    /// A full sample, the one with all members and without null, gets the next value that the schema allows there. A
    /// variation of it, such as the one with null wherever that is allowed, gets the value of the full sample there.
    ///
    /// - Returns: False if there is no other value.
    private mutating func selectNext(of choice: Choice) -> Bool {
        switch variation {
        case .full: selectNextIndex(of: choice)
        case .required, .null, .other: selectFullValue(of: choice)
        }
    }

    /// Selects the value with the next index for a choice of the full sample. Returns false if the last one is selected
    /// already.
    private mutating func selectNextIndex(of choice: Choice) -> Bool {
        let nextIndex = selectedIndexes[choice.path, default: 0] + 1
        guard nextIndex < choice.count else { return false }
        selectedIndexes[choice.path] = nextIndex
        return true
    }

    /// Selects the value of the full sample for a choice of a variation. Returns false if it is selected already.
    private mutating func selectFullValue(of choice: Choice) -> Bool {
        if pathsOfFullValues.contains(choice.path) { return false }
        pathsOfFullValues.insert(choice.path)
        return true
    }

    // MARK: - Creating

    /// The place in the sample at which a value is created.
    private struct Position {
        /// The path of the place, in the form of ``SampleValue/path(of:)``.
        private(set) var path = ""
        /// The pointers of the surrounding schemas. A schema that contains itself is not entered again.
        private(set) var schemas: [String] = []

        func member(_ name: String) -> Position {
            var position = self
            position.path += SampleValue.path(of: [name])
            return position
        }

        func inside(_ schema: Node) -> Position {
            var position = self
            position.schemas.append(schema.pointer)
            return position
        }
    }

    /// Creates a value of a schema: null if the variation has it there, or else one of the schema's constants if it
    /// names some, or else a value from its keywords and parts.
    ///
    /// - Returns: The value; nil if there is none, for example if the schema contains itself, or a limit is reached.
    private mutating func value(of schema: Node, at outer: Position) -> JSONValue? {
        schemaCount += 1
        let isTooMuch = schemaCount >= Self.schemaLimit || outer.schemas.count >= Self.depthLimit
        let isWithinItself = outer.schemas.contains(schema.pointer)
        if isTooMuch || isWithinItself { return nil }
        let position = outer.inside(schema)

        if variation == .null, schema.allowsNull {
            // False once decoding has failed for null here.
            let isNull = chooseVariation(at: position.path, schema.pointer)
            if isNull { return .null }
        }
        if let constant = chooseConstant(of: schema, position.path) { return constant }
        return composedValue(of: schema, at: position)
    }

    /// Creates a value from a schema and its parts, the schemas that it is composed of.
    ///
    /// If they describe objects, the value has the members of all of them. If a part gives another value, such as a
    /// list, that is the result. If there are neither members nor parts, it is a value of the schema's own type.
    private mutating func composedValue(of schema: Node, at position: Position) -> JSONValue? {
        var members = members(of: schema, at: position)
        for part in chooseParts(of: schema, position.path) {
            guard let value = value(of: part, at: position) else {
                // A part without a type may only list required members, so it needs no value.
                let needsValue = !part.kinds.isEmpty
                if needsValue { return nil }
                continue
            }
            guard case .object(let partMembers) = value else { return value }
            members = Self.merged(members ?? [], Array(partMembers))
        }
        if let members { return .object(JSONValue.Object(members)) }
        return valueOfType(of: schema, at: position)
    }

    /// One of the values that `const` or `enum` names, except null; nil if there are none.
    private mutating func chooseConstant(of schema: Node, _ path: String) -> JSONValue? {
        let constants = (schema.constants?.values ?? []).map(\.value).filter { !$0.isNull }
        guard !constants.isEmpty else { return nil }
        return constants[chooseIndex(below: constants.count, at: path, of: schema)]
    }

    /// The schemas that a schema is composed of: all of `allOf`, and one alternative each of `oneOf` and `anyOf`.
    ///
    /// A schema rarely has both keywords. Their alternatives are then chosen by the same index, since both choices have
    /// the same path.
    private mutating func chooseParts(of schema: Node, _ path: String) -> [Node] {
        var parts = schema.allOf
        for keyword in ["oneOf", "anyOf"] {
            let alternatives = schema.list(keyword).filter { $0.types != ["null"] }
            guard !alternatives.isEmpty else { continue }
            parts.append(alternatives[chooseIndex(below: alternatives.count, at: path, of: schema)])
        }
        return parts
    }

    /// Creates a value of a type that the schema names itself or, without one, of a type that its keywords imply:
    /// `items` implies a list.
    private mutating func valueOfType(of schema: Node, at position: Position) -> JSONValue? {
        var types = schema.types.filter { $0 != "null" }
        // If keywords imply several types, any of them will do. It has to be the same one in each sample, so it is the
        // first by name.
        if types.isEmpty, let impliedType = schema.kinds.min() { types = [impliedType] }
        guard !types.isEmpty else { return nil }
        let type = types[chooseIndex(below: types.count, at: position.path, of: schema)]
        switch type {
        // The schema describes no members, since `composedValue` would have created an object with them.
        case "object": return .object([:])
        case "array": return .array(elements(of: schema, at: position))
        default: return scalar(type, schema, position.path)
        }
    }

    /// Creates the elements of a list: one for each schema in `prefixItems`, and one for `items`.
    private mutating func elements(of schema: Node, at position: Position) -> [JSONValue] {
        var elementSchemas = schema.list("prefixItems")
        if let others = schema["items"] { elementSchemas.append(others) }
        var elements: [JSONValue] = []
        for (index, elementSchema) in elementSchemas.enumerated() {
            // The list ends before an element without a value: a later element would take its index, which has another
            // schema.
            guard let element = value(of: elementSchema, at: position.member(String(index))) else { break }
            elements.append(element)
        }
        return elements
    }

    // MARK: - Objects

    /// The members of an object: all that `properties` names or, in the variation `required`, only the required ones.
    /// Members that only requests have are left out.
    ///
    /// - Returns: The members; nil if the schema describes none, or if a required one has no value.
    private mutating func members(of schema: Node, at position: Position) -> [JSONValue.Object.Member]? {
        guard let properties = schema["properties"] else { return additionalMember(of: schema, at: position) }
        let required = Set(schema.required)
        var members: [JSONValue.Object.Member] = []
        for (name, property) in properties.members where !property.isTrue("writeOnly") {
            let isOptional = !required.contains(name)
            let inner = position.member(name)
            let pointer = Node.pointer(properties.pointer, name)
            if variation == .required, isOptional {
                // False once decoding has failed for this choice. The member is then there, as in the full sample.
                let isLeftOut = chooseVariation(at: inner.path, pointer)
                if isLeftOut { continue }
            }
            if let value = value(of: property, at: inner) {
                members.append((name, value))
            } else if !isOptional {
                return nil
            }
        }
        return members
    }

    /// One member with an arbitrary name, for an object whose members are described by `additionalProperties`; nil if
    /// there is no such schema.
    private mutating func additionalMember(of schema: Node, at position: Position) -> [JSONValue.Object.Member]? {
        guard let others = schema["additionalProperties"], case .object = others.value else { return nil }
        let name = "key"
        guard let value = value(of: others, at: position.member(name)) else { return nil }
        return [(name, value)]
    }

    /// The members of two lists. The first list takes precedence if both have a member of the same name.
    private static func merged(_ members: [JSONValue.Object.Member], _ others: [JSONValue.Object.Member]) -> [JSONValue
        .Object.Member]
    {
        let names = Set(members.map(\.name))
        return members + others.filter { !names.contains($0.name) }
    }

    // MARK: - Scalars

    /// A string, number or boolean that the schema accepts. The values in the schema, such as its example, are tried
    /// before guesses.
    private mutating func scalar(_ type: String, _ schema: Node, _ path: String) -> JSONValue? {
        let keywords = ["example", "default", "minimum", "maximum"]
        let nodesInSchema = keywords.compactMap { schema[$0] } + schema.list("examples")
        let candidates = nodesInSchema.map(\.value) + Self.guesses(of: type, format: schema["format"]?.string)
        let accepted = candidates.filter { value in
            !value.isNull && SchemaCheck.problems(value, schema, at: .named(""), .sample).isEmpty
        }
        guard !accepted.isEmpty else { return nil }
        return accepted[chooseIndex(below: accepted.count, at: path, of: schema, isGuess: true)]
    }

    /// Guesses at scalars of a type. There are several texts, since a model may decode a date, a UUID or a URL where
    /// the schema names no format.
    private static func guesses(of type: String, format: String?) -> [JSONValue] {
        switch type {
        case "string":
            let first = format == "uri" ? "https://example.com/" : "text"
            let others = [
                "2026-11-20T18:30:00Z", "2026-11-20", "8B5F0B9A-2C7E-4F0D-9C3A-6E1D2F4A7B90", "https://example.com/",
                "1", "Fri, 20 Nov 2026 18:30:00 +0000",
            ]
            return ([first] + others).map(JSONValue.string)
        case "boolean":
            return [.bool(true)]
        case "number", "integer":
            // The schema of an integer does not accept 1.5.
            return [1.5, 1]
        default:
            return []
        }
    }

    // MARK: - Choosing

    /// Decides whether the sample varies from a full one at a path, and records the place as a choice between the two.
    ///
    /// It varies there, until ``replaceCause(of:)`` has withdrawn the variation because decoding failed.
    private mutating func chooseVariation(at path: String, _ pointer: String) -> Bool {
        choices[path] = Choice(path: path, pointer: pointer, count: 2, isGuess: false)
        return !pathsOfFullValues.contains(path)
    }

    /// Chooses one of several values that the schema allows at a path.
    ///
    /// - A full sample has the value with the selected index, and records the place as a choice.
    /// - The variation ``Variation/other(_:)`` has the value with its own index there or, if there are fewer values,
    ///   the last one. It does not vary guesses.
    /// - All other variations have the value of the full sample.
    ///
    /// - Parameters:
    ///   - count: The number of values.
    ///   - path: The path.
    ///   - schema: The schema that allows the values.
    ///   - isGuess: Whether the values are guesses at a scalar, not listed by the schema.
    /// - Returns: The index of the value.
    private mutating func chooseIndex(
        below count: Int, at path: String, of schema: Node, isGuess: Bool = false
    ) -> Int {
        let last = count - 1
        let selectedIndex = min(selectedIndexes[path, default: 0], last)
        guard count > 1 else { return selectedIndex }
        switch variation {
        case .full:
            recordChoice(Choice(path: path, pointer: schema.pointer, count: count, isGuess: isGuess))
            return selectedIndex
        case .other(let index):
            if isGuess { return selectedIndex }
            let isVaried = chooseVariation(at: path, schema.pointer)
            return isVaried ? min(index, last) : selectedIndex
        case .required, .null:
            return selectedIndex
        }
    }

    /// Remembers a choice, unless its path already has one whose values the schema lists.
    ///
    /// For example, an alternative of `oneOf` and a guess at the scalar in it have the same path. Only the choice of
    /// the alternative is remembered.
    private mutating func recordChoice(_ choice: Choice) {
        if let existing = choices[choice.path], !existing.isGuess { return }
        choices[choice.path] = choice
    }
}
