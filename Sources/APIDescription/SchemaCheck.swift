import APIKitCore
import APIKitTesting

/// Checks values by their schemas (OpenAPI 3.0 and 3.1; JSON Schema 2020-12).
///
/// `oneOf` counts as `anyOf`. `pattern`, `not`, conditions and lengths are not checked. Masked values fit everything.
struct SchemaCheck {
    /// Which way a value goes. In a request, members that a schema does not name are errors, unless it says that there
    /// may be others.
    enum Direction {
        case request
        case response
    }

    /// What composed schemas say together of an object's members.
    private struct Members {
        var names: Set<String> = []
        /// Whether there may be others.
        var isOpen = false
    }

    private let direction: Direction
    /// Whether scalars are texts, as in a query.
    private let isText: Bool
    private var problems: [APIDescription.Problem] = []
    private var steps = 0
    private var depth = 0
    /// Enough for any real value, and little enough for the stack of a thread that is not the main one.
    private static let (stepLimit, depthLimit) = (200_000, 100)

    /// What is wrong with a value.
    static func problems(
        _ value: JSONValue, _ schema: Node, _ member: String, _ direction: Direction, isText: Bool = false
    ) -> [APIDescription.Problem] {
        var check = SchemaCheck(direction: direction, isText: isText)
        check.check(value, schema, member)
        return check.problems
    }

    private mutating func add(
        _ code: APIDescription.Problem.Code, _ member: String, _ message: String, _ schema: Node, _ keyword: String = ""
    ) {
        problems.add(code, member, message, keyword.isEmpty ? schema.pointer : Node.pointer(schema.pointer, keyword))
    }

    /// Checks a value as a whole.
    private mutating func check(_ value: JSONValue, _ schema: Node, _ member: String) {
        var members = Members()
        apply(schema, to: value, member, [], &members)
        guard direction == .request, !members.isOpen, !members.names.isEmpty, case .object(let own) = value else {
            return
        }
        for (name, _) in own where !members.names.contains(name) {
            let place = Self.member(name, of: member)
            if problems.contains(where: { $0.member == place && $0.code == .unknown }) { continue }
            add(.unknown, place, "is not in the description", schema.resolved, "properties")
        }
    }

    private static func member(_ name: String, of parent: String) -> String {
        parent.isEmpty || parent.hasSuffix(" ") ? parent + name : "\(parent).\(name)"
    }

    /// Applies a schema, and those that it is composed of. The outer ones are those that are being applied to the same
    /// value.
    private mutating func apply(
        _ schema: Node, to value: JSONValue, _ member: String, _ outer: [String], _ members: inout Members
    ) {
        steps += 1
        guard steps < Self.stepLimit, depth < Self.depthLimit else {
            if problems.last?.code != .unchecked { add(.unchecked, member, "is too complex to be checked", schema) }
            return
        }
        guard !outer.contains(schema.pointer), value.string != Masking.mask else { return }
        depth += 1
        defer { depth -= 1 }
        let outer = outer + [schema.pointer]
        if let target = schema.target {
            apply(target, to: value, member, outer, &members)
            guard schema.document.readsSiblings else { return }
        }
        if schema.value.literal == "false" { add(.unknown, member, "is not allowed", schema) }
        if value.isNull && schema.isTrue("nullable") { return }
        guard checkType(of: value, schema, member) else { return }
        checkChoice(of: value, schema, member)
        switch value {
        case .string(let text) where !isText || !schema.types.allSatisfy(["integer", "number"].contains):
            if !schema.hasFormat(of: text), let format = schema["format"]?.string {
                add(.value, member, "is \(Self.shown(value, member)), not in the format \(format)", schema, "format")
            }
        case .string(let text), .literal(let text): checkNumber(text, schema, member)
        case .list(let values):
            for (index, value) in values.enumerated() {
                if let items = schema["items"] { check(value, items, "\(member)[\(index)]") }
            }
        case .object(let own): checkMembers(own, schema, member, &members)
        }
        for part in schema.list("allOf") { apply(part, to: value, member, outer, &members) }
        for choices in [schema.list("oneOf"), schema.list("anyOf")] where !choices.isEmpty {
            choose(of: choices, schema, value, member, outer, &members)
        }
    }

    /// Applies the alternative that fits, or the one that is nearest to it.
    private mutating func choose(
        of choices: [Node], _ schema: Node, _ value: JSONValue, _ member: String, _ outer: [String],
        _ members: inout Members
    ) {
        let tag = schema["discriminator"]?["propertyName"]?.string.flatMap { value[$0]?.string }
        let name = tag.map { schema["discriminator"]?["mapping"]?[$0]?.string ?? "/\($0)" }
        let tagged = name.flatMap { name in choices.first { $0["$ref"]?.string?.hasSuffix(name) ?? false } }
        var (nearest, distance): ([APIDescription.Problem], Int) = ([], .max)
        for choice in tagged.map({ [$0] }) ?? choices {
            var (trial, own) = (SchemaCheck(direction: direction, isText: isText), Members())
            (trial.steps, trial.depth) = (steps, depth)
            trial.apply(choice, to: value, member, outer, &own)
            steps = trial.steps
            // Of two with as many problems, the one that names more of the members.
            let unknown = Set(value.names).subtracting(own.names).count
            let ownDistance = trial.problems.isEmpty ? 0 : trial.problems.count * 1_000 + unknown
            guard trial.problems.isEmpty || ownDistance < distance else { continue }
            (nearest, distance) = (trial.problems, ownDistance)
            members.names.formUnion(own.names)
            members.isOpen = members.isOpen || own.isOpen
        }
        problems.add(nearest)
    }

    // MARK: - Scalars

    private mutating func checkType(of value: JSONValue, _ schema: Node, _ member: String) -> Bool {
        let types = schema.types
        guard !types.isEmpty, !types.contains(where: { fits(value, $0) }) else { return true }
        let actual = isText || value.kind == "number" ? Self.shown(value, member) : value.kind.withArticle
        let expected = types.map(\.withArticle).joined(separator: " or ")
        add(.type, member, "is \(actual), not \(expected)", schema, "type")
        return false
    }

    private func fits(_ value: JSONValue, _ type: String) -> Bool {
        var kinds = [value.kind == "list" ? "array" : value.kind]
        // A text may be any scalar.
        var number = value.number
        if isText, let text = value.string {
            kinds.append(["true", "false"].contains(text) ? "boolean" : "")
            number = text.first == "+" ? nil : Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
        return kinds.contains(type) || type == "number" && number != nil
            || type == "integer" && number.map { $0 == $0.rounded() } ?? false
    }

    /// A value as it is shown in a message.
    private static func shown(_ value: JSONValue, _ member: String) -> String {
        let text = value.text()
        if SecretNames.contains(member) { return Masking.mask }
        return text.count > 40 ? "\(text.prefix(40))…" : Masking.masked(text)
    }

    private mutating func checkChoice(of value: JSONValue, _ schema: Node, _ member: String) {
        let lists = [("enum", schema["enum"]?.elements), ("const", schema["const"].map { [$0] })]
        for (keyword, choices) in lists {
            guard let choices, !choices.contains(where: { isSame($0.value, value) }) else { continue }
            let texts = choices.prefix(5).map { $0.value.text() } + (choices.count > 5 ? ["…"] : [])
            let message = "is \(Self.shown(value, member)), not one of \(texts.joined(separator: ", "))"
            add(.value, member, message, schema, keyword)
        }
    }

    private func isSame(_ choice: JSONValue, _ value: JSONValue) -> Bool {
        if isText, let text = value.string { return text == choice.string ?? choice.text() }
        return choice.text() == value.text() || choice.number.map { $0 == value.number } ?? false
    }

    /// Checks a number by its limits, which exclude themselves by a Bool in OpenAPI 3.0, and by their name in 3.1.
    private mutating func checkNumber(_ text: String, _ schema: Node, _ member: String) {
        guard let number = Double(text) else { return }
        for (keyword, word, sign) in [("inimum", "below", 1.0), ("aximum", "above", -1.0)] {
            let (own, exclusive) = ("m\(keyword)", "exclusiveM\(keyword)")
            for (limit, isExcluded) in [(schema[own], schema.isTrue(exclusive)), (schema[exclusive], true)] {
                guard let limit, let bound = limit.number, isExcluded && number == bound || number * sign < bound * sign
                else { continue }
                add(.value, member, "is \(text), \(word) the limit \(limit.value.text())", limit)
            }
        }
    }

    // MARK: - Objects

    private mutating func checkMembers(
        _ own: [JSONValue.Member], _ schema: Node, _ member: String, _ members: inout Members
    ) {
        let properties = Dictionary(schema["properties"]?.members.map { ($0.name, $0.node) } ?? []) { first, _ in first
        }
        members.names.formUnion(properties.keys)
        let (additional, hasPatterns) = (schema["additionalProperties"], schema["patternProperties"] != nil)
        members.isOpen = members.isOpen || hasPatterns || additional.map { $0.value.literal != "false" } ?? false
        for (name, value) in own {
            let place = Self.member(name, of: member)
            if let property = properties[name] {
                check(value, property, place)
                if direction == .request, property.resolved.isTrue("readOnly") {
                    add(.readOnly, place, "is sent, and only responses have it", property.resolved, "readOnly")
                }
            } else if additional?.value.literal == "false", !hasPatterns {
                add(.unknown, place, "is not in the description", schema, "additionalProperties")
            } else if let additional, !hasPatterns {
                check(value, additional, place)
            }
        }
        for name in schema.list("required").compactMap(\.string) where !own.contains(where: { $0.name == name }) {
            let oneWay = direction == .request ? "readOnly" : "writeOnly"
            if properties[name]?.resolved.isTrue(oneWay) == true { continue }
            add(.missing, Self.member(name, of: member), "is required, and missing", schema, "required")
        }
    }
}
