import APIKitCore
import APIKitSupport
import APIKitTesting

/// Checks a value against the keywords of one schema that concern the value itself.
///
/// The value's members and elements, and the schemas that the schema is composed of, are checked by ``SchemaCheck``.
struct ValueCheck {
    typealias Problem = APIDescription.Problem

    let value: JSONValue
    /// The name of the value in problems.
    let member: String
    let schema: Definition
    let direction: SchemaCheck.Direction
    /// Whether numbers and booleans are written as texts, as in a query.
    let isText: Bool

    /// The problems of the value. If its type is wrong, that is the only one.
    var problems: [Problem] {
        let typed = typedValue
        let types = schema.types
        let hasExpectedType = types.isEmpty || types.contains(where: typed.hasType)
        guard hasExpectedType else { return [typeProblem(typed, types)] }
        return constantProblems + contentProblems(typed)
    }

    /// The problems with the keywords that apply to one type of value.
    private func contentProblems(_ typedValue: JSONValue) -> [Problem] {
        switch typedValue {
        case .string(let text): formatProblems(text) + patternProblems(text)
        case .number(let number): numberProblems(number)
        case .null, .bool: []
        case .array(let values): listProblems(values)
        case .object(let members):
            countProblems(
                members.count, noun: "member", minimumKeyword: "minProperties", maximumKeyword: "maxProperties")
        }
    }

    /// A problem of the value, whose place in the description is a keyword of the schema.
    private func problem(_ message: String, at keyword: String) -> Problem {
        Problem(.value, member, message, schema.pointer(to: keyword))
    }

    // MARK: - Types

    /// The value as a null, boolean or number if it is written as a text: in a query, the text `1` becomes a number,
    /// unless the schema allows texts. Any other value stays as it is.
    private var typedValue: JSONValue {
        guard isText, let text = value.string else { return value }
        let allowsText = schema.types.contains("string")
        if allowsText { return value }
        guard let parsedText = JSONValue(Data(text.utf8)) else { return value }
        switch parsedText {
        case .null, .bool, .number: return parsedText
        case .string, .array, .object: return value
        }
    }

    /// The problem of a value whose type is not one that the schema names.
    ///
    /// - Parameters:
    ///   - typedValue: The value or, for a text such as `1.5` in a query, the number or boolean that it stands for.
    ///   - types: The types that the schema names.
    /// - Returns: A problem such as `is a boolean, not a string or null`.
    private func typeProblem(_ typedValue: JSONValue, _ types: [String]) -> Problem {
        let actual: String
        if isText {
            // In a query, every value is written as text, so its type would explain nothing.
            actual = shown(value)
        } else if typedValue.kind == "number" {
            // Only its digits tell whether a number is an integer.
            actual = shown(value)
        } else {
            actual = typedValue.kind.withArticle
        }
        let expected = types.map(\.withArticle).joined(separator: " or ")
        return Problem(.type, member, "is \(actual), not \(expected)", schema.pointer(to: "type"))
    }

    /// Returns a value as messages show it: masked if the member has the name of a secret, otherwise with the secrets
    /// within it masked. A value of more than 40 characters is shortened, so that a message stays one line.
    private func shown(_ value: JSONValue) -> String {
        if SecretNames.contains(member) { return Masking.mask }
        // Masked before it is cut, since a secret may be shown by its first characters alone.
        let text = Masking.masked(value.text())
        return text.count > 40 ? "\(text.prefix(40))…" : text
    }

    // MARK: - Constants

    /// The problem of a value that `const` or `enum` does not name. Empty if it names the value, or if the schema has
    /// neither keyword.
    private var constantProblems: [Problem] {
        guard let (keyword, constants) = schema.constants else { return [] }
        let isNamed = constants.contains { isEqual(to: $0.value) }
        if isNamed { return [] }
        // Enums can be very long; a few constants show what is expected.
        var texts = constants.prefix(5).map { $0.value.text() }
        if constants.count > 5 { texts.append("…") }
        return [problem("is \(shown(value)), not one of \(texts.joined(separator: ", "))", at: keyword)]
    }

    /// Whether the value equals a constant. In a query, the text `1` equals both the number 1 and the string `1`.
    private func isEqual(to constant: JSONValue) -> Bool {
        if isText, let text = value.string {
            let expected = constant.string ?? constant.text()
            return text.utf8.elementsEqual(expected.utf8)
        }
        return value.canonicalBytes == constant.canonicalBytes
    }

    // MARK: - Strings

    private func formatProblems(_ text: String) -> [Problem] {
        guard let format = schema["format"]?.string, !schema.hasFormat(of: text) else { return [] }
        return [problem("is \(shown(value)), not in the format \(format)", at: "format")]
    }

    /// The problem of a text that does not match the schema's `pattern`, a regular expression.
    private func patternProblems(_ text: String) -> [Problem] {
        // The texts in samples are guesses, which need not match a pattern.
        guard direction != .sample, let pattern = schema["pattern"]?.string else { return [] }
        switch text.match(with: pattern) {
        case .differs:
            return [problem("is \(shown(value)), not as the pattern \(pattern)", at: "pattern")]
        case .matches:
            return []
        case .unknown:
            // The pattern cannot be evaluated safely, which is not a problem of the value.
            return []
        }
    }

    // MARK: - Numbers

    /// The problems of a number with its limits and its factor.
    private func numberProblems(_ written: JSONValue.Number) -> [Problem] {
        let number = written.double
        let text = written.description
        return minimumProblems(number, text) + maximumProblems(number, text) + factorProblems(number, text)
    }

    /// The problems of a number that is less than `minimum` or `exclusiveMinimum`.
    ///
    /// In OpenAPI 3.0, `exclusiveMinimum` is a boolean: if true, `minimum` itself is not allowed either. In 3.1, it is
    /// a number, the limit itself.
    private func minimumProblems(_ number: Double, _ text: String) -> [Problem] {
        var problems: [Problem] = []
        if let minimum = schema["minimum"]?.number {
            let isExcluded = schema.isTrue("exclusiveMinimum")
            let isBelow = isExcluded ? number <= minimum : number < minimum
            if isBelow { problems.append(limitProblem(text, is: "below", keyword: "minimum")) }
        }
        if let exclusiveMinimum = schema["exclusiveMinimum"]?.number, number <= exclusiveMinimum {
            problems.append(limitProblem(text, is: "below", keyword: "exclusiveMinimum"))
        }
        return problems
    }

    /// The problems of a number that is greater than `maximum` or `exclusiveMaximum`.
    ///
    /// In OpenAPI 3.0, `exclusiveMaximum` is a boolean: if true, `maximum` itself is not allowed either. In 3.1, it is
    /// a number, the limit itself.
    private func maximumProblems(_ number: Double, _ text: String) -> [Problem] {
        var problems: [Problem] = []
        if let maximum = schema["maximum"]?.number {
            let isExcluded = schema.isTrue("exclusiveMaximum")
            let isAbove = isExcluded ? number >= maximum : number > maximum
            if isAbove { problems.append(limitProblem(text, is: "above", keyword: "maximum")) }
        }
        if let exclusiveMaximum = schema["exclusiveMaximum"]?.number, number >= exclusiveMaximum {
            problems.append(limitProblem(text, is: "above", keyword: "exclusiveMaximum"))
        }
        return problems
    }

    /// A problem such as `is 500, above the limit 100`.
    private func limitProblem(_ text: String, is relation: String, keyword: String) -> Problem {
        let limit = schema[keyword]?.value.text() ?? ""
        return problem("is \(text), \(relation) the limit \(limit)", at: keyword)
    }

    /// The problem of a number that is not a multiple of `multipleOf`, such as 0.01 for an amount of money.
    private func factorProblems(_ number: Double, _ text: String) -> [Problem] {
        // Samples are not created to be a multiple of a number.
        guard direction != .sample, let factorNode = schema["multipleOf"], let factor = factorNode.number else {
            return []
        }
        if number.isMultiple(of: factor) { return [] }
        return [problem("is \(text), not a multiple of \(factorNode.value.text())", at: "multipleOf")]
    }

    // MARK: - Lists and objects

    /// The problems of a list with the number of its elements and with equal elements, but not the problems of the
    /// elements themselves.
    private func listProblems(_ values: [JSONValue]) -> [Problem] {
        var problems = countProblems(
            values.count, noun: "element", minimumKeyword: "minItems", maximumKeyword: "maxItems")
        // A sample may repeat an element, since it has one for each schema.
        if direction != .sample, schema.isTrue("uniqueItems"), let repeated = firstRepeated(in: values) {
            problems.append(problem("has the element \(shown(repeated)) twice", at: "uniqueItems"))
        }
        return problems
    }

    /// The problem of a list with too few or too many elements, or of an object with too few or too many members.
    ///
    /// - Parameters:
    ///   - count: The number of elements or members.
    ///   - noun: What is counted, as messages name one of them.
    ///   - minimumKeyword: The keyword of the schema for the smallest count.
    ///   - maximumKeyword: The keyword of the schema for the greatest count.
    /// - Returns: Problems such as `has 1 element, fewer than 2`.
    private func countProblems(
        _ count: Int, noun: String, minimumKeyword: String, maximumKeyword: String
    ) -> [Problem] {
        // Samples are not created to have a certain number of elements or members.
        guard direction != .sample else { return [] }
        let actual = count == 1 ? "has 1 \(noun)" : "has \(count) \(noun)s"
        var problems: [Problem] = []
        if let limit = schema[minimumKeyword], let minimum = limit.number, Double(count) < minimum {
            problems.append(problem("\(actual), fewer than \(limit.value.text())", at: minimumKeyword))
        }
        if let limit = schema[maximumKeyword], let maximum = limit.number, Double(count) > maximum {
            problems.append(problem("\(actual), more than \(limit.value.text())", at: maximumKeyword))
        }
        return problems
    }

    /// The first element of a list that equals an earlier one; nil if all differ.
    private func firstRepeated(in values: [JSONValue]) -> JSONValue? {
        var seen: Set<[UInt8]> = []
        // Two masks are equal, but the secrets that they replace may differ.
        for value in values where !value.holdsMask {
            let isNew = seen.insert(value.canonicalBytes).inserted
            if !isNew { return value }
        }
        return nil
    }
}

extension Double {
    /// Whether the number is a multiple of another one, within the precision of binary fractions: 0.3 is a multiple of
    /// 0.1.
    fileprivate func isMultiple(of factor: Double) -> Bool {
        let quotient = self / factor
        // If the factor is 0 or the quotient overflows, the answer is unknown. The number counts as a multiple, so that
        // no problem is reported.
        guard quotient.isFinite else { return true }
        // The rounding error of a quotient grows with it.
        let tolerance = 1e-9 * Swift.max(1, abs(quotient))
        return abs(quotient - quotient.rounded()) <= tolerance
    }
}
