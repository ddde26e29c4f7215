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
        let place: Place
        /// The positions of the members and elements that lead to it.
        let path: [Int]

        func member(_ member: JSONValue.Member, at index: Int) -> Subject {
            Subject(value: member.value, place: place.member(member.name), path: path + [index])
        }

        func element(_ value: JSONValue, at index: Int) -> Subject {
            Subject(value: value, place: place.element(index), path: path + [index])
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

        /// Adds what another schema says about the same value.
        mutating func merge(_ other: Outcome) {
            addProblems(of: other)
            names.formUnion(other.names)
            allowsOthers = allowsOthers || other.allowsOthers
        }

        /// Adds what is wrong with a member or an element.
        mutating func addProblems(of other: Outcome) {
            problems.add(other.problems)
            isIncomplete = isIncomplete || other.isIncomplete
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
    /// What was found so far. A schema may be reached in very many ways, and is applied to a value once.
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
        _ value: JSONValue, _ schema: Node, at place: Place, _ direction: Direction, isText: Bool = false
    ) -> [Problem] {
        var check = SchemaCheck(direction: direction, isText: isText)
        let outcome = check.check(Subject(value: value, place: place, path: []), by: schema)
        guard outcome.isIncomplete, let unchecked = check.unchecked else { return outcome.problems }
        return outcome.problems + [unchecked]
    }

    // MARK: - Whole values

    /// Checks a value by its whole schema. Only here it is known which members no part of the schema names.
    private mutating func check(_ subject: Subject, by schema: Node) -> Outcome {
        var outcome = apply(schema, to: subject)
        let namesAll = !outcome.names.isEmpty && !outcome.allowsOthers
        if direction == .request, namesAll {
            outcome.problems.add(unknownMembers(of: subject, schema, outcome))
        }
        return outcome
    }

    private func unknownMembers(of subject: Subject, _ schema: Node, _ outcome: Outcome) -> [Problem] {
        let reported = Set(outcome.problems.filter { $0.code == .unknown }.map(\.member))
        let pointer = Node.pointer(schema.pointer, "properties")
        let unknown = subject.value.names.filter { !outcome.names.contains($0) }
        let members = unknown.map { subject.place.member($0).description }
        return members.filter { !reported.contains($0) }.map { member in
            Problem(.unknown, member, "is not in the description", pointer)
        }
    }

    // MARK: - Schemas

    /// Applies a schema, and those that it is composed of, once to each value.
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
        unchecked = Problem(.unchecked, subject.place.description, "is too complex to be checked", schema.pointer)
    }

    private mutating func evaluate(_ schema: Node, for subject: Subject) -> Outcome {
        guard !isExempt(subject.value, from: schema) else { return Outcome() }
        var outcome = Outcome(problems: ownProblems(of: subject, by: schema))
        // Of a value of another type, the rest of the schema says nothing.
        if outcome.problems.contains(where: { $0.code == .type }) { return outcome }

        switch subject.value {
        case .list(let values): applyToElements(values, of: subject, schema, addingTo: &outcome)
        case .object(let members): applyToMembers(members, of: subject, schema, addingTo: &outcome)
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

    /// Whether a schema accepts a value without a look: a mask stands for any value.
    private func isExempt(_ value: JSONValue, from schema: Node) -> Bool {
        value.string == Masking.mask || (value.isNull && schema.isTrue("nullable"))
    }

    /// What the schema says about the value itself.
    private func ownProblems(of subject: Subject, by schema: Node) -> [Problem] {
        if schema.value.literal == "false" {
            return [Problem(.unknown, subject.place.description, "is not allowed", schema.pointer)]
        }
        let check = ValueCheck(
            value: subject.value, member: subject.place.description, schema: schema, direction: direction,
            isText: isText)
        return check.problems
    }

    private mutating func applyToElements(
        _ values: [JSONValue], of subject: Subject, _ schema: Node, addingTo outcome: inout Outcome
    ) {
        let first = schema.list("prefixItems")
        let others = schema["items"]
        for (index, value) in values.enumerated() {
            let own = index < first.count ? first[index] : others
            guard let own else { continue }
            outcome.addProblems(of: check(subject.element(value, at: index), by: own))
        }
    }

    // MARK: - Members

    private mutating func applyToMembers(
        _ members: [JSONValue.Member], of subject: Subject, _ schema: Node, addingTo outcome: inout Outcome
    ) {
        // The name that a sample has for any member says nothing.
        let rules = MemberRules(schema, triesPatterns: direction != .sample)
        outcome.names.formUnion(rules.properties?.value.names ?? [])
        outcome.allowsOthers = rules.allowsOthers
        for (index, member) in members.enumerated() {
            let inner = subject.member(member, at: index)
            let rule = rules.rule(for: member.name)
            if rule.isNamed { outcome.names.insert(member.name) }
            outcome.problems.add(nameProblems(at: inner.place, rule, schema))
            for own in rule.schemas { outcome.addProblems(of: check(inner, by: own)) }
        }
        outcome.problems.add(missingMembers(of: subject, schema))
    }

    /// What is wrong with a member that is there, whatever its value.
    private func nameProblems(at place: Place, _ rule: MemberRules.Rule, _ schema: Node) -> [Problem] {
        if rule.isForbidden {
            let pointer = Node.pointer(schema.pointer, "additionalProperties")
            return [Problem(.unknown, place.description, "is not in the description", pointer)]
        }
        if direction == .request, let property = rule.property, property.isTrue("readOnly") {
            let pointer = Node.pointer(property.pointer, "readOnly")
            return [Problem(.readOnly, place.description, "is sent, and only responses have it", pointer)]
        }
        return []
    }

    private func missingMembers(of subject: Subject, _ schema: Node) -> [Problem] {
        // A required member may belong to the other direction.
        let exemption = direction == .request ? "readOnly" : "writeOnly"
        let pointer = Node.pointer(schema.pointer, "required")
        let present = Set(subject.value.names)
        var problems: [Problem] = []
        for name in schema.required where !present.contains(name) {
            let isExempt = schema["properties"]?[name]?.isTrue(exemption) == true
            if isExempt { continue }
            let member = subject.place.member(name).description
            problems.append(Problem(.missing, member, "is required, and missing", pointer))
        }
        return problems
    }

    // MARK: - Alternatives

    /// Applies the alternatives that fit or, if there are none, the one that is nearest to the value.
    private mutating func applyAlternatives(
        _ choices: [Node], discriminator: Node?, to subject: Subject
    ) -> Outcome {
        var candidates = choices
        if let named = choice(namedBy: discriminator, among: choices, for: subject.value) { candidates = [named] }
        var fitting: [Outcome] = []
        var nearest: Outcome?
        for candidate in candidates {
            let outcome = apply(candidate, to: subject)
            if outcome.fits {
                fitting.append(outcome)
            } else if let other = nearest {
                nearest = isNearer(outcome, than: other, to: subject.value) ? outcome : other
            } else {
                nearest = outcome
            }
        }
        if fitting.isEmpty { return nearest ?? Outcome() }
        // A value may have the members of several alternatives.
        return fitting.reduce(into: Outcome()) { $0.merge($1) }
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
        guard outcome.problems.count == other.problems.count else {
            return outcome.problems.count < other.problems.count
        }
        // Of two with as many problems, the one that names more of the members.
        let names = Set(value.names)
        return outcome.names.intersection(names).count > other.names.intersection(names).count
    }
}
