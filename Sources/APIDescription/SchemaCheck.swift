import APIKitCore
import APIKitTesting

/// Checks a value by its schema (OpenAPI 3.0 and 3.1; JSON Schema 2020-12), with its members and elements, and by the
/// schemas that the schema is composed of.
///
/// `oneOf` counts as `anyOf`. The article <doc:CheckingAgainstADescription> lists the keywords that are not checked.
struct SchemaCheck {
    /// Which way a value goes. In a request, members that a schema does not name are errors, unless it says that there
    /// may be others.
    enum Direction {
        case request
        case response
        /// A response that is created from a schema. Its texts match no pattern, and its lists have any length.
        case sample
    }

    typealias Problem = APIDescription.Problem

    /// A value, and its place in the value that is checked.
    private struct Subject {
        let value: JSONValue
        /// What problems call it, such as `body.user.name`.
        let member: String
        /// The positions of the members and elements that lead to it.
        let path: [Int]

        func member(_ member: JSONValue.Member, at index: Int) -> Subject {
            Subject(value: member.value, member: name(of: member.name), path: path + [index])
        }

        func element(_ value: JSONValue, at index: Int) -> Subject {
            Subject(value: value, member: "\(member)[\(index)]", path: path + [index])
        }

        /// What problems call a member: `body.name`, `response 200 name` or `name`.
        func name(of name: String) -> String {
            member.isEmpty || member.hasSuffix(" ") ? member + name : "\(member).\(name)"
        }
    }

    /// What a schema says about a value.
    private struct Outcome {
        var problems: [Problem] = []
        /// Whether a part was too complex to be checked.
        var isIncomplete = false
        /// The members of an object that the schema names.
        var names: Set<String> = []
        /// Whether the schema says that there may be members that it does not name.
        var allowsOthers = false

        var fits: Bool { problems.isEmpty && !isIncomplete }

        mutating func merge(_ other: Outcome) {
            problems.add(other.problems)
            isIncomplete = isIncomplete || other.isIncomplete
            names.formUnion(other.names)
            allowsOthers = allowsOthers || other.allowsOthers
        }
    }

    /// A schema that is applied to the value at a path.
    private struct Application: Hashable {
        let path: [Int]
        let schema: String
    }

    private let direction: Direction
    /// Whether scalars are texts, as in a query.
    private let isText: Bool
    /// What was found so far: a schema may be reached in very many ways, and is applied once.
    private var outcomes: [Application: Outcome] = [:]
    private var depth = 0
    /// The first part that was too complex to be checked.
    private var unchecked: Problem?

    /// How many schemas are applied: enough for any real value.
    private static let applicationLimit = 200_000
    /// How deep schemas and values nest: little enough for the stack of a thread that is not the main one.
    private static let depthLimit = 100

    private init(direction: Direction, isText: Bool) {
        self.direction = direction
        self.isText = isText
    }

    /// What is wrong with a value.
    static func problems(
        _ value: JSONValue, _ schema: Node, _ member: String, _ direction: Direction, isText: Bool = false
    ) -> [Problem] {
        var check = SchemaCheck(direction: direction, isText: isText)
        var outcome = Outcome()
        check.check(Subject(value: value, member: member, path: []), by: schema, &outcome)
        if outcome.isIncomplete, let unchecked = check.unchecked { outcome.problems.append(unchecked) }
        return outcome.problems
    }

    // MARK: - Whole values

    /// Checks a value by its whole schema, and adds the problems to the outcome of what it is in.
    private mutating func check(_ subject: Subject, by schema: Node, _ outer: inout Outcome) {
        let outcome = apply(schema, to: subject)
        outer.isIncomplete = outer.isIncomplete || outcome.isIncomplete
        outer.problems.add(outcome.problems)
        if direction == .request, !outcome.allowsOthers, !outcome.names.isEmpty {
            addUnknownMembers(of: subject, schema, outcome, &outer)
        }
    }

    /// Adds the members that no part of the whole schema names.
    private func addUnknownMembers(of subject: Subject, _ schema: Node, _ outcome: Outcome, _ outer: inout Outcome) {
        let reported = Set(outcome.problems.filter { $0.code == .unknown }.map(\.member))
        let pointer = Node.pointer(schema.pointer, "properties")
        for name in subject.value.names where !outcome.names.contains(name) {
            let member = subject.name(of: name)
            if reported.contains(member) { continue }
            outer.problems.add(.unknown, member, "is not in the description", pointer)
        }
    }

    // MARK: - Schemas

    /// Applies a schema, and those that it is composed of.
    private mutating func apply(_ schema: Node, to subject: Subject) -> Outcome {
        let application = Application(path: subject.path, schema: schema.pointer)
        if let known = outcomes[application] { return known }
        guard outcomes.count < Self.applicationLimit, depth < Self.depthLimit else {
            giveUp(at: subject, schema)
            return Outcome(isIncomplete: true)
        }
        // A schema that leads back to itself says nothing more about the same value.
        outcomes[application] = Outcome()
        depth += 1
        let outcome = evaluate(schema, for: subject)
        depth -= 1
        outcomes[application] = outcome
        return outcome
    }

    private mutating func giveUp(at subject: Subject, _ schema: Node) {
        guard unchecked == nil else { return }
        unchecked = Problem(.unchecked, subject.member, "is too complex to be checked", schema.pointer)
    }

    private mutating func evaluate(_ schema: Node, for subject: Subject) -> Outcome {
        var outcome = Outcome()
        guard checkValue(of: subject, by: schema, &outcome) else { return outcome }
        switch subject.value {
        case .list(let values): applyToElements(values, of: subject, schema, &outcome)
        case .object(let members): applyToMembers(members, of: subject, schema, &outcome)
        case .string, .literal: break
        }
        for part in schema.allOf {
            outcome.merge(apply(part, to: subject))
        }
        for keyword in ["oneOf", "anyOf"] {
            let choices = schema.list(keyword)
            outcome.merge(applyAlternatives(choices, discriminator: schema["discriminator"], to: subject))
        }
        return outcome
    }

    /// Checks what the schema says about the value itself.
    ///
    /// - Returns: Whether the rest of the schema concerns the value.
    private func checkValue(of subject: Subject, by schema: Node, _ outcome: inout Outcome) -> Bool {
        if subject.value.string == Masking.mask { return false }
        if schema.value.literal == "false" {
            outcome.problems.add(.unknown, subject.member, "is not allowed", schema.pointer)
        }
        if subject.value.isNull, schema.isTrue("nullable") { return false }
        let check = ValueCheck(
            value: subject.value, member: subject.member, schema: schema, direction: direction, isText: isText)
        if let problem = check.typeProblem {
            outcome.problems.add([problem])
            return false
        }
        outcome.problems.add(check.problems)
        return true
    }

    private mutating func applyToElements(
        _ values: [JSONValue], of subject: Subject, _ schema: Node, _ outcome: inout Outcome
    ) {
        let first = schema.list("prefixItems")
        let others = schema["items"]
        for (index, value) in values.enumerated() {
            guard let schema = index < first.count ? first[index] : others else { continue }
            check(subject.element(value, at: index), by: schema, &outcome)
        }
    }

    private mutating func applyToMembers(
        _ members: [JSONValue.Member], of subject: Subject, _ schema: Node, _ outcome: inout Outcome
    ) {
        // The name that a sample has for any member says nothing.
        let rules = MemberRules(schema, triesPatterns: direction != .sample)
        outcome.names.formUnion(rules.properties?.value.names ?? [])
        outcome.allowsOthers = rules.allowsOthers
        for (index, member) in members.enumerated() {
            let inner = subject.member(member, at: index)
            let rule = rules.rule(for: member.name)
            addOwnProblems(of: inner, rule, schema, &outcome)
            if rule.isNamed { outcome.names.insert(member.name) }
            for schema in rule.schemas { check(inner, by: schema, &outcome) }
        }
        addMissingMembers(of: subject, schema, &outcome)
    }

    /// Adds what is wrong with a member, whatever its value.
    private func addOwnProblems(
        of member: Subject, _ rule: MemberRules.Rule, _ schema: Node, _ outcome: inout Outcome
    ) {
        if rule.isForbidden {
            let pointer = Node.pointer(schema.pointer, "additionalProperties")
            outcome.problems.add(.unknown, member.member, "is not in the description", pointer)
        }
        if direction == .request, let property = rule.property, property.isTrue("readOnly") {
            let pointer = Node.pointer(property.pointer, "readOnly")
            outcome.problems.add(.readOnly, member.member, "is sent, and only responses have it", pointer)
        }
    }

    private func addMissingMembers(of subject: Subject, _ schema: Node, _ outcome: inout Outcome) {
        // A required member may belong to the other direction.
        let exemption = direction == .request ? "readOnly" : "writeOnly"
        let present = Set(subject.value.names)
        for name in schema.required where !present.contains(name) {
            if schema["properties"]?[name]?.isTrue(exemption) == true { continue }
            let pointer = Node.pointer(schema.pointer, "required")
            outcome.problems.add(.missing, subject.name(of: name), "is required, and missing", pointer)
        }
    }

    // MARK: - Alternatives

    /// Applies the alternatives that fit or, if there are none, the one that is nearest to the value.
    private mutating func applyAlternatives(
        _ choices: [Node], discriminator: Node?, to subject: Subject
    ) -> Outcome {
        let named = choice(namedBy: discriminator, among: choices, for: subject.value)
        var fitting: Outcome?
        var nearest: Outcome?
        for choice in named.map({ [$0] }) ?? choices {
            let outcome = apply(choice, to: subject)
            if outcome.fits {
                fitting = fitting ?? Outcome()
                fitting?.merge(outcome)
            } else if let other = nearest {
                nearest = isNearer(outcome, than: other, to: subject.value) ? outcome : other
            } else {
                nearest = outcome
            }
        }
        return fitting ?? nearest ?? Outcome()
    }

    /// The alternative whose name a member of the value holds; nil if the value names none.
    private func choice(namedBy discriminator: Node?, among choices: [Node], for value: JSONValue) -> Node? {
        guard let property = discriminator?["propertyName"]?.string, let tag = value[property]?.string else {
            return nil
        }
        let target = discriminator?["mapping"]?[tag]?.string ?? "/\(tag)"
        return choices.first { $0.pointer.hasSuffix(target) }
    }

    /// Whether an alternative that does not fit is nearer to a value than another one.
    private func isNearer(_ outcome: Outcome, than other: Outcome, to value: JSONValue) -> Bool {
        // One that is too complex may fit.
        if other.isIncomplete { return false }
        if outcome.isIncomplete { return true }
        if outcome.problems.count != other.problems.count { return outcome.problems.count < other.problems.count }
        let names = Set(value.names)
        return outcome.names.intersection(names).count > other.names.intersection(names).count
    }
}
