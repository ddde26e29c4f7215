import APIKitCore
import APIKitTesting

/// Checks a value by its schema (OpenAPI 3.0 and 3.1; JSON Schema 2020-12).
///
/// `oneOf` counts as `anyOf`. `not`, conditions and lengths are not checked; nor are patterns that Swift does not
/// understand, or that could take too long. Masked values fit everything.
struct SchemaCheck {
    /// Which way a value goes. In a request, members that a schema does not name are errors, unless it says that there
    /// may be others.
    enum Direction {
        case request
        case response
        /// A response that is created from a schema, of which texts fit no pattern.
        case sample
    }

    private let value: JSONValue
    private let member: String
    private let direction: Direction
    /// Whether scalars are texts, as in a query.
    private let isText: Bool
    private var problems: [APIDescription.Problem] = []
    /// The schemas that are being applied.
    private var outer: [String] = []
    /// The names of members that the schemas applied so far know, and whether there may be others.
    private var names: Set<String> = []
    private var isOpen = false
    private var steps = 0
    private var depth = 0
    /// Enough for any real value, and little enough for the stack of a thread that is not the main one.
    private static let (stepLimit, depthLimit) = (200_000, 100)

    /// What is wrong with a value.
    static func problems(
        _ value: JSONValue, _ schema: Node, _ member: String, _ direction: Direction, isText: Bool = false
    ) -> [APIDescription.Problem] {
        var check = SchemaCheck(value: value, member: member, direction: direction, isText: isText)
        check.apply(whole: schema)
        return check.problems
    }

    /// Checks a member or an element.
    private mutating func check(_ value: JSONValue, _ schema: Node, _ member: String) {
        var inner = SchemaCheck(
            value: value, member: member, direction: direction, isText: isText, steps: steps, depth: depth)
        inner.apply(whole: schema)
        steps = inner.steps
        problems.add(inner.problems)
    }

    private mutating func apply(whole schema: Node) {
        apply(schema)
        guard direction == .request, !isOpen, !names.isEmpty else { return }
        for name in value.names where !names.contains(name) {
            if problems.contains(where: { $0.member == place(of: name) && $0.code == .unknown }) { continue }
            add(.unknown, "is not in the description", schema, "properties", of: name)
        }
    }

    /// Applies a schema, and those that it is composed of.
    private mutating func apply(_ schema: Node) {
        steps += 1
        guard steps < Self.stepLimit, depth < Self.depthLimit else {
            guard problems.last?.code != .unchecked else { return }
            return problems.add(.unchecked, member, "is too complex to be checked", schema.pointer)
        }
        guard !outer.contains(schema.pointer), value.string != Masking.mask else { return }
        outer.append(schema.pointer)
        depth += 1
        defer { (depth, _) = (depth - 1, outer.removeLast()) }
        if schema.value.literal == "false" { problems.add(.unknown, member, "is not allowed", schema.pointer) }
        if value.isNull && schema.isTrue("nullable") { return }
        let value = typed(by: schema)
        guard checkType(of: value, schema) else { return }
        checkConstants(schema)
        switch value {
        case .string(let text): checkText(text, schema)
        case .literal(let text): checkNumber(text, schema)
        case .list(let values):
            guard let items = schema["items"] else { break }
            for (index, value) in values.enumerated() { check(value, items, "\(member)[\(index)]") }
        case .object(let members): checkMembers(members, schema)
        }
        for part in schema.allOf { apply(part) }
        for keyword in ["oneOf", "anyOf"] { applyNearest(of: schema.list(keyword), schema["discriminator"]) }
    }

    /// Applies the alternative that fits, or the one that is nearest to it.
    private mutating func applyNearest(of choices: [Node], _ discriminator: Node?) {
        let tag = discriminator?["propertyName"]?.string.flatMap { value[$0]?.string }
        let name = tag.map { discriminator?["mapping"]?[$0]?.string ?? "/\($0)" }
        let tagged = choices.filter { choice in name.map(choice.pointer.hasSuffix) ?? false }.prefix(1)
        var (nearest, distance): ([APIDescription.Problem], Int) = ([], .max)
        for choice in tagged.isEmpty ? choices[...] : tagged {
            var trial = self
            (trial.problems, trial.names) = ([], [])
            trial.apply(choice)
            steps = trial.steps
            // Of two with as many problems, the one that names more of the members.
            let unknown = Set(value.names).subtracting(trial.names).count
            var own = trial.problems.isEmpty ? 0 : trial.problems.count * 1_000 + unknown
            // One that is too complex may fit.
            if trial.problems.contains(where: { $0.code == .unchecked }) { own = 1 }
            guard own == 0 || own < distance else { continue }
            (nearest, distance) = (trial.problems, own)
            names.formUnion(trial.names)
            isOpen = trial.isOpen
        }
        problems.add(nearest)
    }

    /// Adds a problem of the value, or of a member of it.
    private mutating func add(
        _ code: APIDescription.Problem.Code, _ message: String, _ schema: Node, _ keyword: String,
        of name: String? = nil
    ) {
        problems.add(code, name.map(place) ?? member, message, Node.pointer(schema.pointer, keyword))
    }

    // MARK: - Scalars

    /// The value; of a text in a query, what a schema takes it for.
    private func typed(by schema: Node) -> JSONValue {
        guard isText, let text = value.string, !schema.types.contains("string"),
            let scalar = JSONValue(Data(text.utf8)), scalar.literal != nil
        else { return value }
        return scalar
    }

    private mutating func checkType(of value: JSONValue, _ schema: Node) -> Bool {
        let types = schema.types
        let isWhole = value.number.map { $0 == $0.rounded() } ?? false
        let kinds = [value.kind == "list" ? "array" : value.kind, isWhole ? "integer" : ""]
        guard !types.isEmpty, !types.contains(where: kinds.contains) else { return true }
        let actual = isText || value.kind == "number" ? shown : value.kind.withArticle
        add(.type, "is \(actual), not \(types.map(\.withArticle).joined(separator: " or "))", schema, "type")
        return false
    }

    /// The value as it is shown in a message.
    private var shown: String {
        let text = value.text()
        if SecretNames.contains(member) { return Masking.mask }
        return text.count > 40 ? "\(text.prefix(40))…" : Masking.masked(text)
    }

    private mutating func checkConstants(_ schema: Node) {
        guard let (keyword, values) = schema.constants, !values.contains(where: { isSame($0.value) }) else { return }
        let texts = values.prefix(5).map { $0.value.text() } + (values.count > 5 ? ["…"] : [])
        add(.value, "is \(shown), not one of \(texts.joined(separator: ", "))", schema, keyword)
    }

    private func isSame(_ constant: JSONValue) -> Bool {
        if isText, let text = value.string { return text == constant.string ?? constant.text() }
        return constant.text() == value.text() || constant.number.map { $0 == value.number } ?? false
    }

    private mutating func checkText(_ text: String, _ schema: Node) {
        if !schema.hasFormat(of: text), let format = schema["format"]?.string {
            add(.value, "is \(shown), not in the format \(format)", schema, "format")
        }
        if direction != .sample, let pattern = schema["pattern"]?.string, !text.fits(pattern: pattern) {
            add(.value, "is \(shown), not as the pattern \(pattern)", schema, "pattern")
        }
    }

    /// Checks a number by its limits, which exclude themselves by a Bool in OpenAPI 3.0, and by their name in 3.1.
    private mutating func checkNumber(_ text: String, _ schema: Node) {
        guard let number = Double(text) else { return }
        for (keyword, word, sign) in [("inimum", "below", 1.0), ("aximum", "above", -1.0)] {
            let (own, exclusive) = ("m\(keyword)", "exclusiveM\(keyword)")
            for (keyword, isExcluded) in [(own, schema.isTrue(exclusive)), (exclusive, true)] {
                guard let limit = schema[keyword], let bound = limit.number else { continue }
                guard number * sign < bound * sign || isExcluded && number == bound else { continue }
                add(.value, "is \(text), \(word) the limit \(limit.value.text())", schema, keyword)
            }
        }
    }

    // MARK: - Objects

    private mutating func checkMembers(_ members: [JSONValue.Member], _ schema: Node) {
        let properties = schema["properties"]
        let (additional, hasPatterns) = (schema["additionalProperties"], schema["patternProperties"] != nil)
        let isClosed = additional?.value.literal == "false" && !hasPatterns
        names.formUnion(properties?.value.names ?? [])
        isOpen = isOpen || additional != nil && !isClosed || hasPatterns
        for (name, value) in members {
            if let property = properties?[name] {
                check(value, property, place(of: name))
                guard direction == .request, property.isTrue("readOnly") else { continue }
                add(.readOnly, "is sent, and only responses have it", property, "readOnly", of: name)
            } else if isClosed {
                add(.unknown, "is not in the description", schema, "additionalProperties", of: name)
            } else if let additional, !hasPatterns {
                check(value, additional, place(of: name))
            }
        }
        for name in schema.required where !value.names.contains(name) {
            if properties?[name]?.isTrue(direction == .request ? "readOnly" : "writeOnly") == true { continue }
            add(.missing, "is required, and missing", schema, "required", of: name)
        }
    }

    private func place(of name: String) -> String {
        member.isEmpty || member.hasSuffix(" ") ? member + name : "\(member).\(name)"
    }
}
