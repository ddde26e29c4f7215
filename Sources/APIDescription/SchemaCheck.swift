import APIKitCore
import APIKitTesting

/// Checks a value, with its members and elements, against a schema (OpenAPI 3.0 and 3.1; JSON Schema 2020-12) and the
/// schemas that it is composed of.
///
/// `oneOf` is treated as `anyOf`. The article <doc:CheckingAgainstADescription> lists the keywords that are not
/// checked.
struct SchemaCheck {
    /// The origin of a value. It decides which checks apply.
    enum Direction {
        /// A request that is sent. Members that the schema does not name are problems, unless it allows others.
        case request
        /// A response that a server sent, or an example of one.
        case response
        /// A response that ``SampleValue`` created. Patterns, lengths of lists and some other constraints are not
        /// checked, since samples do not try to meet them.
        case sample
    }

    typealias Problem = APIDescription.Problem

    /// The value that is checked, or a value within it.
    private struct Subject {
        let value: JSONValue
        let place: Place
        /// The positions of the members and elements that lead to the value.
        let path: [Int]

        func member(_ member: JSONValue.Member, at index: Int) -> Subject {
            Subject(value: member.value, place: place.member(member.name), path: path + [index])
        }

        func element(_ value: JSONValue, at index: Int) -> Subject {
            Subject(value: value, place: place.element(index), path: path + [index])
        }
    }

    /// The result of checking a value against a schema.
    private struct Outcome {
        var problems: [Problem] = []
        /// Whether the check ended early, since the schema or the value is too complex.
        var isIncomplete = false
        /// The names of the object's members that the schema describes.
        var names: Set<String> = []
        /// Whether the schema explicitly allows members that it does not describe.
        var allowsOthers = false

        var fits: Bool { problems.isEmpty && !isIncomplete }

        /// Adds the outcome of another schema for the same value.
        mutating func merge(_ other: Outcome) {
            addProblems(of: other)
            names.formUnion(other.names)
            allowsOthers = allowsOthers || other.allowsOthers
        }

        /// Adds the problems of a member or an element. The names of its own members are not added, since they are not
        /// members of this value.
        mutating func addProblems(of other: Outcome) {
            problems.add(other.problems)
            isIncomplete = isIncomplete || other.isIncomplete
        }
    }

    /// Identifies a check: a schema, and the path of the value that it is applied to.
    private struct Application: Hashable {
        let path: [Int]
        let schema: String
    }

    private let direction: Direction
    /// Whether numbers and booleans are written as texts, as in a query.
    private let isText: Bool
    /// The outcomes so far. Schemas that refer to one another can lead to the same schema in exponentially many ways,
    /// so each schema is applied only once to each value.
    private var outcomes: [Application: Outcome] = [:]
    private var depth = 0
    /// The problem that reports the first place at which the check ended early.
    private var unchecked: Problem?

    /// The greatest number of outcomes. Real values need far fewer; the limit bounds time and memory for all others.
    private static let applicationLimit = 200_000
    /// The greatest depth to which schemas and values may nest. It is chosen for the stacks of threads other than the
    /// main thread, which have only 512 KB on Apple platforms.
    private static let depthLimit = 100

    private init(direction: Direction, isText: Bool) {
        self.direction = direction
        self.isText = isText
    }

    /// The problems of a value.
    static func problems(
        _ value: JSONValue, _ schema: Node, at place: Place, _ direction: Direction, isText: Bool = false
    ) -> [Problem] {
        var check = SchemaCheck(direction: direction, isText: isText)
        let outcome = check.check(Subject(value: value, place: place, path: []), by: schema)
        guard outcome.isIncomplete, let unchecked = check.unchecked else { return outcome.problems }
        return outcome.problems + [unchecked]
    }

    // MARK: - Whole values

    /// Applies a schema and then looks for members that no part of it describes.
    ///
    /// Undescribed members cannot be found earlier: a member may be described by any of the schemas in `allOf`, `oneOf`
    /// or `anyOf`.
    private mutating func check(_ subject: Subject, by schema: Node) -> Outcome {
        var outcome = apply(schema, to: subject)
        // A schema that describes no members at all allows any object.
        let mustDescribeAllMembers = !outcome.names.isEmpty && !outcome.allowsOthers
        if direction == .request, mustDescribeAllMembers {
            outcome.problems.add(unknownMembers(of: subject, schema, outcome))
        }
        return outcome
    }

    private func unknownMembers(of subject: Subject, _ schema: Node, _ outcome: Outcome) -> [Problem] {
        // Members that `additionalProperties: false` forbids are already reported.
        let reported = Set(outcome.problems.filter { $0.code == .unknown }.map(\.member))
        let pointer = Node.pointer(schema.pointer, "properties")
        let unknown = subject.value.names.filter { !outcome.names.contains($0) }
        let members = unknown.map { subject.place.member($0).description }
        return members.filter { !reported.contains($0) }.map { member in
            Problem(.unknown, member, "is not in the description", pointer)
        }
    }

    // MARK: - Schemas

    /// Checks a value against a schema and the schemas that it is composed of, or returns the outcome of an earlier
    /// check.
    private mutating func apply(_ schema: Node, to subject: Subject) -> Outcome {
        let application = Application(path: subject.path, schema: schema.pointer)
        if let known = outcomes[application] { return known }
        guard outcomes.count < Self.applicationLimit, depth < Self.depthLimit else {
            noteUnchecked(subject, schema)
            return Outcome(isIncomplete: true)
        }
        // If the schema refers back to itself for the same value, it adds no constraint: the inner check gets this
        // empty outcome, and the recursion ends.
        outcomes[application] = Outcome()
        depth += 1
        let outcome = evaluate(schema, for: subject)
        depth -= 1
        outcomes[application] = outcome
        return outcome
    }

    private mutating func noteUnchecked(_ subject: Subject, _ schema: Node) {
        guard unchecked == nil else { return }
        unchecked = Problem(.unchecked, subject.place.description, "is too complex to be checked", schema.pointer)
    }

    private mutating func evaluate(_ schema: Node, for subject: Subject) -> Outcome {
        guard !isExempt(subject.value, from: schema) else { return Outcome() }
        var outcome = Outcome(problems: ownProblems(of: subject, by: schema))
        // If the type is wrong, the other keywords do not apply, and their problems would only be noise.
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

    /// Whether a value is accepted without a check: null for a nullable schema, and a mask, which stands for an unknown
    /// value.
    private func isExempt(_ value: JSONValue, from schema: Node) -> Bool {
        value.string == Masking.mask || (value.isNull && schema.isTrue("nullable"))
    }

    /// The problems of the value itself, without those of its members and elements.
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
        let prefixSchemas = schema.list("prefixItems")
        let otherSchema = schema["items"]
        for (index, value) in values.enumerated() {
            let elementSchema = index < prefixSchemas.count ? prefixSchemas[index] : otherSchema
            guard let elementSchema else { continue }
            outcome.addProblems(of: check(subject.element(value, at: index), by: elementSchema))
        }
    }

    // MARK: - Members

    private mutating func applyToMembers(
        _ members: [JSONValue.Member], of subject: Subject, _ schema: Node, addingTo outcome: inout Outcome
    ) {
        // A sample gives an additional member an arbitrary name, which need not match a pattern.
        let rules = MemberRules(schema, triesPatterns: direction != .sample)
        outcome.names.formUnion(rules.properties?.value.names ?? [])
        outcome.allowsOthers = rules.allowsOthers
        for (index, member) in members.enumerated() {
            let inner = subject.member(member, at: index)
            let rule = rules.rule(for: member.name)
            if rule.isNamed { outcome.names.insert(member.name) }
            outcome.problems.add(nameProblems(at: inner.place, rule, schema))
            for memberSchema in rule.schemas { outcome.addProblems(of: check(inner, by: memberSchema)) }
        }
        outcome.problems.add(missingMembers(of: subject, schema))
    }

    /// The problems of a member that exists although the schema forbids it, whatever its value is.
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
        // A required member that is read-only is required in responses only, and a write-only one in requests only.
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

    /// Checks a value against alternatives.
    ///
    /// - Returns: The merged outcomes of all alternatives that fit; if none fits, the outcome of the one that is
    ///   nearest to the value, so that its problems explain what to change.
    private mutating func applyAlternatives(
        _ choices: [Node], discriminator: Node?, to subject: Subject
    ) -> Outcome {
        var candidates = choices
        if let named = choice(namedBy: discriminator, among: choices, for: subject.value) {
            candidates = [named]
        }
        var fitting: [Outcome] = []
        var nearest: Outcome?
        for candidate in candidates {
            let outcome = apply(candidate, to: subject)
            if outcome.fits {
                fitting.append(outcome)
                continue
            }
            if let other = nearest, !isNearer(outcome, than: other, to: subject.value) { continue }
            nearest = outcome
        }
        // Without any alternatives, there is nothing to check.
        if fitting.isEmpty { return nearest ?? Outcome() }
        // With `anyOf`, a value may have the members of several alternatives.
        return fitting.reduce(into: Outcome()) { $0.merge($1) }
    }

    /// The alternative that the value's discriminator member selects; nil if there is no discriminator or no such
    /// alternative.
    private func choice(namedBy discriminator: Node?, among choices: [Node], for value: JSONValue) -> Node? {
        guard let property = discriminator?["propertyName"]?.string, let tag = value[property]?.string else {
            return nil
        }
        let target = discriminator?["mapping"]?[tag]?.string ?? "/\(tag)"
        return choices.first { $0.pointer.hasSuffix(target) }
    }

    /// Whether an alternative that does not fit is nearer to a value than another one.
    private func isNearer(_ outcome: Outcome, than other: Outcome, to value: JSONValue) -> Bool {
        // An incomplete outcome is preferred to problems that may be wrong: that alternative may fit.
        if other.isIncomplete { return false }
        if outcome.isIncomplete { return true }
        guard outcome.problems.count == other.problems.count else {
            return outcome.problems.count < other.problems.count
        }
        // With equally many problems, the alternative that describes more of the value's members is nearer.
        let names = Set(value.names)
        return outcome.names.intersection(names).count > other.names.intersection(names).count
    }
}
