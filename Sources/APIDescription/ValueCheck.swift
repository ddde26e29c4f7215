import APIKitCore
import APIKitTesting

/// Checks a value against the keywords of one schema that concern the value itself.
///
/// The value's members and elements, and the schemas that the schema is composed of, are checked by ``SchemaCheck``.
struct ValueCheck {
    typealias Problem = APIDescription.Problem

    let value: JSONValue
    /// The name of the value in problems.
    let member: String
    let schema: Node
    let direction: SchemaCheck.Direction
    /// Whether numbers and booleans are written as texts, as in a query.
    let isText: Bool

    /// The problems of the value. If its type is wrong, that is the only one.
    var problems: [Problem] {
        let value = typedValue
        let types = schema.types
        let hasType = types.isEmpty || types.contains(where: value.hasType)
        guard hasType else { return [typeProblem(value, types)] }
        switch value {
        case .string(let text): return constantProblems + textProblems(text)
        case .literal(let text): return constantProblems + numberProblems(text)
        case .list(let values): return constantProblems + listProblems(values)
        case .object(let members):
            return constantProblems + countProblems(members.count, "member", "minProperties", "maxProperties")
        }
    }

    /// A problem of the value at a keyword of the schema.
    private func problem(_ message: String, _ keyword: String) -> Problem {
        Problem(.value, member, message, Node.pointer(schema.pointer, keyword))
    }

    // MARK: - Types

    /// The value with the type that the schema expects: the text `1` in a query becomes a number, unless the schema
    /// allows texts.
    private var typedValue: JSONValue {
        guard isText, let text = value.string, !schema.types.contains("string") else { return value }
        guard let scalar = JSONValue(Data(text.utf8)), scalar.literal != nil else { return value }
        return scalar
    }

    private func typeProblem(_ typedValue: JSONValue, _ types: [String]) -> Problem {
        // A number is shown, since only its digits tell whether it is an integer. In a query, every value is written as
        // text, so its type would explain nothing.
        let isShown = isText || typedValue.kind == "number"
        let actual = isShown ? shown(value) : typedValue.kind.withArticle
        let expected = types.map(\.withArticle).joined(separator: " or ")
        return Problem(.type, member, "is \(actual), not \(expected)", Node.pointer(schema.pointer, "type"))
    }

    /// A value as messages show it: shortened if it is long, and masked if it may be a secret.
    private func shown(_ value: JSONValue) -> String {
        if SecretNames.contains(member) { return Masking.mask }
        let text = value.text()
        return text.count > 40 ? "\(text.prefix(40))…" : Masking.masked(text)
    }

    // MARK: - Constants

    /// The problem of a value that `const` or `enum` does not name.
    private var constantProblems: [Problem] {
        guard let (keyword, constants) = schema.constants else { return [] }
        guard !constants.contains(where: { isEqual(to: $0.value) }) else { return [] }
        // Enums can be very long; a few constants show what is expected.
        var texts = constants.prefix(5).map { $0.value.text() }
        if constants.count > 5 { texts.append("…") }
        return [problem("is \(shown(value)), not one of \(texts.joined(separator: ", "))", keyword)]
    }

    private func isEqual(to constant: JSONValue) -> Bool {
        if isText, let text = value.string {
            let expected = constant.string ?? constant.text()
            return text.utf8.elementsEqual(expected.utf8)
        }
        return value.canonicalBytes == constant.canonicalBytes
    }

    // MARK: - Scalars

    private func textProblems(_ text: String) -> [Problem] {
        var problems: [Problem] = []
        if let format = schema["format"]?.string, !schema.hasFormat(of: text) {
            problems.append(problem("is \(shown(value)), not in the format \(format)", "format"))
        }
        // The texts in samples are not created from patterns.
        guard direction != .sample, let pattern = schema["pattern"]?.string else { return problems }
        // The result is nil if the pattern cannot be evaluated safely. That is not a problem of the value.
        if text.matches(pattern: pattern) == false {
            problems.append(problem("is \(shown(value)), not as the pattern \(pattern)", "pattern"))
        }
        return problems
    }

    private func numberProblems(_ text: String) -> [Problem] {
        guard let number = Double(text) else { return [] }
        return minimumProblems(number, text) + maximumProblems(number, text) + factorProblems(number, text)
    }

    // In OpenAPI 3.0, `exclusiveMinimum` is a boolean that makes `minimum` exclusive. In 3.1, it is a limit of its own.

    private func minimumProblems(_ number: Double, _ text: String) -> [Problem] {
        var problems: [Problem] = []
        if let minimum = schema["minimum"]?.number {
            let isExcluded = schema.isTrue("exclusiveMinimum")
            let isBelow = isExcluded ? number <= minimum : number < minimum
            if isBelow { problems.append(limitProblem(text, "below", "minimum")) }
        }
        if let minimum = schema["exclusiveMinimum"]?.number, number <= minimum {
            problems.append(limitProblem(text, "below", "exclusiveMinimum"))
        }
        return problems
    }

    private func maximumProblems(_ number: Double, _ text: String) -> [Problem] {
        var problems: [Problem] = []
        if let maximum = schema["maximum"]?.number {
            let isExcluded = schema.isTrue("exclusiveMaximum")
            let isAbove = isExcluded ? number >= maximum : number > maximum
            if isAbove { problems.append(limitProblem(text, "above", "maximum")) }
        }
        if let maximum = schema["exclusiveMaximum"]?.number, number >= maximum {
            problems.append(limitProblem(text, "above", "exclusiveMaximum"))
        }
        return problems
    }

    private func limitProblem(_ text: String, _ word: String, _ keyword: String) -> Problem {
        let limit = schema[keyword]?.value.text() ?? ""
        return problem("is \(text), \(word) the limit \(limit)", keyword)
    }

    private func factorProblems(_ number: Double, _ text: String) -> [Problem] {
        guard direction != .sample, let factor = schema["multipleOf"]?.number else { return [] }
        guard !number.isMultiple(of: factor) else { return [] }
        return [problem("is \(text), not a multiple of \(schema["multipleOf"]?.value.text() ?? "")", "multipleOf")]
    }

    // MARK: - Lists and objects

    private func listProblems(_ values: [JSONValue]) -> [Problem] {
        var problems = countProblems(values.count, "element", "minItems", "maxItems")
        if direction != .sample, schema.isTrue("uniqueItems"), let repeated = firstRepeated(in: values) {
            problems.append(problem("has the element \(shown(repeated)) twice", "uniqueItems"))
        }
        return problems
    }

    private func countProblems(_ count: Int, _ noun: String, _ minimum: String, _ maximum: String) -> [Problem] {
        // Samples are not created to have a certain number of elements or members.
        guard direction != .sample else { return [] }
        let actual = count == 1 ? "has 1 \(noun)" : "has \(count) \(noun)s"
        var problems: [Problem] = []
        if let limit = schema[minimum], let bound = limit.number, Double(count) < bound {
            problems.append(problem("\(actual), fewer than \(limit.value.text())", minimum))
        }
        if let limit = schema[maximum], let bound = limit.number, Double(count) > bound {
            problems.append(problem("\(actual), more than \(limit.value.text())", maximum))
        }
        return problems
    }

    /// The first value that equals an earlier one.
    private func firstRepeated(in values: [JSONValue]) -> JSONValue? {
        var seen: Set<[UInt8]> = []
        // Two masks are equal, but the values that they replace may differ.
        for value in values where !value.holdsMask {
            let isNew = seen.insert(value.canonicalBytes).inserted
            if !isNew { return value }
        }
        return nil
    }
}

// MARK: - Values

extension JSONValue {
    /// Whether the value has a type of JSON Schema.
    fileprivate func hasType(_ type: String) -> Bool {
        switch type {
        case "array": kind == "list"
        case "integer": isWholeNumber
        default: kind == type
        }
    }

    /// Whether the value is a number without a fraction. JSON Schema treats 1.0 as an integer.
    private var isWholeNumber: Bool {
        guard let number else { return false }
        return number == number.rounded()
    }

    /// Whether the value contains a masked text.
    fileprivate var holdsMask: Bool { text().contains(Masking.mask) }

    /// Bytes that are the same for values that are equal in JSON Schema.
    ///
    /// Numbers are equal if their values are, and the order of an object's members does not matter. Bytes are compared,
    /// not strings, since Swift treats different spellings of a character as equal.
    fileprivate var canonicalBytes: [UInt8] { Array(normalized.text().utf8) }

    private var normalized: JSONValue {
        switch self {
        case .string: self
        case .literal(let text): .literal(exactNumber?.description ?? text)
        case .list(let values): .list(values.map(\.normalized))
        case .object(let members): .object(Self.normalized(members))
        }
    }

    private static func normalized(_ members: [Member]) -> [Member] {
        let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return sorted.map { ($0.name, $0.value.normalized) }
    }
}

extension Double {
    /// Whether the number is a multiple of another one, within the precision of binary fractions: 0.3 is a multiple of
    /// 0.1.
    fileprivate func isMultiple(of factor: Double) -> Bool {
        let quotient = self / factor
        // If the factor is 0 or the quotient overflows, the answer is unknown, and no problem is reported.
        guard quotient.isFinite else { return true }
        // The rounding error of a quotient grows with it.
        let tolerance = 1e-9 * Swift.max(1, abs(quotient))
        return abs(quotient - quotient.rounded()) <= tolerance
    }
}
