import APIKitCore
import APIKitTesting

/// Checks values by their schemas (OpenAPI 3.0 and 3.1; JSON Schema 2020-12).
///
/// `oneOf` counts as `anyOf`. `pattern`, `not` and conditions are not checked. Masked values fit everything.
struct SchemaCheck {
    /// Which way a value goes.
    enum Direction {
        /// Members that the schema does not name are errors, unless it says that there may be others.
        case request
        case response
    }

    struct Finding {
        let code: APIDescription.Problem.Code
        let member: String
        let message: String
        let pointer: String

        func with(_ code: APIDescription.Problem.Code, _ pointer: String) -> Finding {
            Finding(code: code, member: member, message: message, pointer: pointer)
        }
    }

    /// What composed schemas say together of an object's members.
    private struct Members {
        var names: Set<String> = []
        /// Whether there may be others.
        var isOpen = false
    }

    let direction: Direction
    /// Whether scalars are texts, as in a query.
    let isText: Bool
    private(set) var findings: [Finding] = []
    private var steps = 0
    private var depth = 0
    private static let stepLimit = 200_000
    /// Enough for any real value, and little enough for the stack of a thread that is not the main one.
    private static let depthLimit = 150

    init(_ direction: Direction, isText: Bool = false) {
        self.direction = direction
        self.isText = isText
    }

    static func findings(
        _ value: JSONValue, _ schema: Node, _ member: String, _ direction: Direction, isText: Bool = false
    ) -> [Finding] {
        var check = SchemaCheck(direction, isText: isText)
        check.check(value, schema, member)
        return check.findings
    }

    private mutating func add(
        _ code: APIDescription.Problem.Code, _ member: String, _ message: String, _ schema: Node, _ keyword: String = ""
    ) {
        let pointer = keyword.isEmpty ? schema.pointer : Node.pointer(schema.pointer, keyword)
        // Of a list, the first element with a mistake is enough.
        let place = member.replacing(/\[\d+\]/, with: "[]")
        let isKnown = findings.contains { finding in
            finding.pointer == pointer && finding.code == code
                && finding.member.replacing(/\[\d+\]/, with: "[]") == place
        }
        guard !isKnown else { return }
        findings.append(Finding(code: code, member: member, message: message, pointer: pointer))
    }

    /// Checks a value as a whole.
    private mutating func check(_ value: JSONValue, _ schema: Node, _ member: String) {
        var members = Members()
        apply(schema, to: value, member, [], &members)
        guard direction == .request, !members.isOpen, !members.names.isEmpty, case .object(let own) = value else { return }
        for (name, _) in own where !members.names.contains(name) {
            let place = Self.member(name, of: member)
            if !findings.contains(where: { $0.member == place && $0.code == .unknown }) {
                add(.unknown, place, "is not in the description", schema.resolved, "properties")
            }
        }
    }

    static func member(_ name: String, of parent: String) -> String {
        parent.isEmpty || parent.hasSuffix(" ") ? parent + name : "\(parent).\(name)"
    }

    /// Applies a schema, and those that it is composed of.
    ///
    /// - Parameter outer: The places of the schemas that are being applied to the same value.
    private mutating func apply(
        _ schema: Node, to value: JSONValue, _ member: String, _ outer: [String], _ members: inout Members
    ) {
        steps += 1
        guard steps < Self.stepLimit, depth < Self.depthLimit else {
            if findings.last?.code != .unchecked { add(.unchecked, member, "is too complex to be checked", schema) }
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
        if let isAllowed = schema.value.literal {
            members.isOpen = true
            return isAllowed == "true" ? () : add(.unknown, member, "is not allowed", schema)
        }
        if value.isNull, schema["nullable"]?.isTrue == true { return }
        guard checkType(of: value, schema, member) else { return }
        checkChoice(of: value, schema, member)
        switch value {
        case .string(let text) where !isText || !schema.types.allSatisfy(["integer", "number"].contains):
            checkText(text, schema, member)
        case .string(let text), .literal(let text): checkNumber(text, schema, member)
        case .list(let values): checkElements(values, schema, member)
        case .object(let own): checkMembers(own, schema, member, &members)
        }
        for part in schema["allOf"]?.elements ?? [] { apply(part, to: value, member, outer, &members) }
        for keyword in ["oneOf", "anyOf"] {
            if let choices = schema[keyword] { choose(of: choices, schema, value, member, outer, &members) }
        }
    }

    /// Applies the alternative that fits, or the one that is nearest to it.
    private mutating func choose(
        of choices: Node, _ schema: Node, _ value: JSONValue, _ member: String, _ outer: [String],
        _ members: inout Members
    ) {
        let all = choices.elements
        let tag = schema["discriminator"].flatMap { discriminator in
            discriminator["propertyName"]?.string.flatMap { value[$0]?.string }.map { name in
                discriminator["mapping"]?[name]?.string ?? name
            }
        }
        let tagged = tag.flatMap { tag in
            all.filter { $0["$ref"]?.string.map { $0 == tag || $0.hasSuffix("/\(tag)") } ?? false }.first
        }
        var nearest: [Finding]?
        for choice in tagged.map({ [$0] }) ?? all {
            var (trial, own) = (SchemaCheck(direction, isText: isText), Members())
            (trial.steps, trial.depth) = (steps, depth)
            trial.apply(choice, to: value, member, outer, &own)
            steps = trial.steps
            // A response that fits one alternative fits; of a request, all members may count.
            let isNearer = trial.findings.count < nearest?.count ?? Int.max
            if isNearer { nearest = trial.findings }
            if trial.findings.isEmpty || isNearer {
                members.names.formUnion(own.names)
                members.isOpen = members.isOpen || own.isOpen
            }
        }
        for finding in nearest ?? [] {
            let isRoot = finding.member == member && finding.code == .type && all.count > 1 && tagged == nil
            let message = isRoot ? "\(finding.message), and fits no other alternative" : finding.message
            findings.append(
                Finding(code: finding.code, member: finding.member, message: message, pointer: finding.pointer))
        }
    }

    // MARK: - Scalars

    private mutating func checkType(of value: JSONValue, _ schema: Node, _ member: String) -> Bool {
        let types = schema.types
        guard !types.isEmpty, !types.contains(where: { Self.fits(value, $0, isText: isText) }) else { return true }
        let expected = types.map { $0 == "null" ? $0 : "\("aeio".contains($0.prefix(1)) ? "an" : "a") \($0)" }
        let shown = isText && value.string != nil ? Self.shown(value, member) : Self.kind(of: value)
        add(.type, member, "is \(shown), not \(expected.joined(separator: " or "))", schema, "type")
        return false
    }

    private static func fits(_ value: JSONValue, _ type: String, isText: Bool) -> Bool {
        switch value {
        case .object: return type == "object"
        case .list: return type == "array"
        case .string(let text):
            guard isText, type != "string" else { return type == "string" }
            return type == "boolean" ? text == "true" || text == "false" : isNumber(text, type)
        case .literal("null"): return type == "null"
        case .literal("true"), .literal("false"): return type == "boolean"
        case .literal(let text): return isNumber(text, type)
        }
    }

    private static func isNumber(_ text: String, _ type: String) -> Bool {
        guard let number = Double(text), number.isFinite, text.first != "+" else { return false }
        return type == "number" || type == "integer" && number == number.rounded()
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .object: "an object"
        case .list: "a list"
        case .string: "a string"
        case .literal("null"): "null"
        case .literal("true"), .literal("false"): "a boolean"
        case .literal(let text): text.contains(".") ? "a fraction" : "a number"
        }
    }

    /// A value as it is shown in a message.
    private static func shown(_ value: JSONValue, _ member: String) -> String {
        let text = value.text()
        if SecretNames.contains(member) { return Masking.mask }
        return text.count > 40 ? "\(text.prefix(40))…" : Masking.masked(text)
    }

    private mutating func checkChoice(of value: JSONValue, _ schema: Node, _ member: String) {
        for (keyword, choices) in [
            ("enum", schema["enum"]?.elements.map(\.value)), ("const", schema["const"].map { [$0.value] }),
        ] {
            guard let choices, !choices.contains(where: { isSame($0, value) }) else { continue }
            let texts = choices.prefix(5).map { $0.text() }.joined(separator: ", ")
            let rest = choices.count > 5 ? ", …" : ""
            add(.value, member, "is \(Self.shown(value, member)), not one of \(texts)\(rest)", schema, keyword)
        }
    }

    private func isSame(_ choice: JSONValue, _ value: JSONValue) -> Bool {
        if isText, let text = value.string { return text == choice.string ?? choice.text() }
        if let number = choice.number, let other = value.number { return number == other }
        return choice.text() == value.text()
    }

    private mutating func checkText(_ text: String, _ schema: Node, _ member: String) {
        let length = Double(text.unicodeScalars.count)
        if let limit = schema["minLength"]?.number, length < limit {
            add(.value, member, "has \(Int(length)) characters, fewer than \(limit.short)", schema, "minLength")
        }
        if let limit = schema["maxLength"]?.number, length > limit {
            add(.value, member, "has \(Int(length)) characters, more than \(limit.short)", schema, "maxLength")
        }
        if !schema.hasFormat(of: text), let format = schema["format"]?.string {
            let shown = Self.shown(.string(text), member)
            add(.value, member, "is \(shown), not in the format \(format)", schema, "format")
        }
    }

    private mutating func checkNumber(_ text: String, _ schema: Node, _ member: String) {
        guard let number = Double(text) else { return }
        let limits = schema.limits
        if let limit = limits.lowest, number < limit || limits.excludesLowest && number == limit {
            add(.value, member, "is \(text), below the limit \(limit.short)", schema, "minimum")
        }
        if let limit = limits.highest, number > limit || limits.excludesHighest && number == limit {
            add(.value, member, "is \(text), above the limit \(limit.short)", schema, "maximum")
        }
    }

    // MARK: - Lists and objects

    private mutating func checkElements(_ values: [JSONValue], _ schema: Node, _ member: String) {
        let count = Double(values.count)
        if let limit = schema["minItems"]?.number, count < limit {
            add(.value, member, "has \(values.count) elements, fewer than \(limit.short)", schema, "minItems")
        }
        if let limit = schema["maxItems"]?.number, count > limit {
            add(.value, member, "has \(values.count) elements, more than \(limit.short)", schema, "maxItems")
        }
        guard let items = schema["items"] else { return }
        for (index, value) in values.enumerated() { check(value, items, "\(member)[\(index)]") }
    }

    private mutating func checkMembers(
        _ own: [JSONValue.Member], _ schema: Node, _ member: String, _ members: inout Members
    ) {
        let properties = Dictionary(schema["properties"]?.members.map { ($0.name, $0.node) } ?? []) { first, _ in first }
        members.names.formUnion(properties.keys)
        let (additional, hasPatterns) = (schema["additionalProperties"], schema["patternProperties"] != nil)
        members.isOpen = members.isOpen || hasPatterns || additional.map { $0.value.literal != "false" } ?? false
        for (name, value) in own {
            let place = Self.member(name, of: member)
            if let property = properties[name] {
                check(value, property, place)
                if direction == .request, property.resolved["readOnly"]?.isTrue == true {
                    add(.readOnly, place, "is sent, and only responses have it", property.resolved, "readOnly")
                }
            } else if let additional, !hasPatterns {
                if additional.value.literal == "false" {
                    add(.unknown, place, "is not in the description", schema, "additionalProperties")
                } else {
                    check(value, additional, place)
                }
            }
        }
        for name in schema["required"]?.elements.compactMap(\.string) ?? [] where !own.contains(where: { $0.name == name }) {
            let oneWay = direction == .request ? "readOnly" : "writeOnly"
            if properties[name]?.resolved[oneWay]?.isTrue == true { continue }
            add(.missing, Self.member(name, of: member), "is required, and missing", schema, "required")
        }
    }
}

extension Double {
    /// The number without a fraction that is zero.
    fileprivate var short: String { rounded() == self && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
