import APIKitCore
import APIKitSupport
import APIKitTesting

/// Checks a value, with its members and elements, against a schema (OpenAPI 3.0 and 3.1; JSON Schema 2020-12) and the
/// schemas that it is composed of.
///
/// `oneOf` is treated as `anyOf`: a value may fit several alternatives. The article <doc:CheckingAgainstADescription>
/// lists the keywords that are not checked. ``ValueCheck`` checks the keywords that concern one value alone, such as
/// its type.
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

    private let direction: Direction
    /// Whether numbers and booleans are written as texts, as in a query.
    private let isText: Bool
    /// The outcomes so far. Schemas that refer to one another can lead to the same schema in exponentially many ways,
    /// so each value is checked only once against each schema.
    private(set) var outcomes: [OutcomeKey: Outcome] = [:]
    /// How many calls of ``outcome(of:for:)`` are in progress, one within another.
    private var depth = 0
    /// The problem that names the first place at which the check ended early; nil if it was complete so far.
    private var uncheckedPlace: Problem?

    /// The greatest number of outcomes. Real values need far fewer; the limit bounds time and memory for all others.
    private static let outcomeLimit = 200_000
    /// The greatest depth to which schemas and values may nest. It is chosen for the stacks of threads other than the
    /// main thread, which have only 512 KB on Apple platforms.
    private static let depthLimit = 100

    private init(direction: Direction, isText: Bool) {
        self.direction = direction
        self.isText = isText
    }

    /// Checks a value, with all values within it, against a schema.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - schema: The schema.
    ///   - place: The name of the value in problems.
    ///   - direction: The origin of the value.
    ///   - isText: Whether numbers and booleans are written as texts, as in a query. Then the text `1` is an integer.
    /// - Returns: A problem for each difference. If a limit ended the check early, one more problem names the first
    ///   place that was not checked.
    static func problems(
        _ value: JSONValue, _ schema: Definition, at place: Place, _ direction: Direction, isText: Bool = false
    ) -> [Problem] {
        var check = SchemaCheck(direction: direction, isText: isText)
        let subject = Subject(value: value, place: place, path: [])
        let outcome = check.outcome(of: schema, for: subject)
        var problems = outcome.problems
        // A response may have members that are not described, since servers add some over time.
        if direction == .request {
            problems.add(UndescribedNames.problems(of: subject, outcome, among: check.outcomes))
        }
        if outcome.isIncomplete, let uncheckedPlace = check.uncheckedPlace { problems.append(uncheckedPlace) }
        return problems
    }

    // MARK: - Schemas

    /// Checks a value against a schema and the schemas that it is composed of, or returns the outcome of an earlier
    /// check of the same value against the same schema.
    mutating func outcome(of schema: Definition, for subject: Subject) -> Outcome {
        let key = OutcomeKey(valuePath: subject.path, schemaPath: schema.path)
        if let known = outcomes[key] { return known }
        guard outcomes.count < Self.outcomeLimit, depth < Self.depthLimit else {
            noteUnchecked(subject, schema)
            return Outcome(key: key, isIncomplete: true)
        }
        // A schema may be composed of itself, which adds no constraint. The check of that part finds this empty
        // outcome, so that the recursion ends.
        outcomes[key] = Outcome(key: key)
        depth += 1
        let outcome = check(subject, by: schema, key)
        depth -= 1
        outcomes[key] = outcome
        return outcome
    }

    /// Remembers the first place that is not checked because of a limit.
    private mutating func noteUnchecked(_ subject: Subject, _ schema: Definition) {
        guard uncheckedPlace == nil else { return }
        let message = "is too complex to be checked"
        uncheckedPlace = Problem(.unchecked, subject.place.description, message, schema.pointer)
    }

    /// Checks a value against a schema: the value itself, its elements or members, and then the schemas that this
    /// schema is composed of. A mask and an allowed null are not checked.
    private mutating func check(_ subject: Subject, by schema: Definition, _ key: OutcomeKey) -> Outcome {
        // A mask, `***`, stands for a secret. Its real value is unknown and may well fit.
        let isMask = subject.value.string == Masking.mask
        if isMask { return Outcome(key: key) }
        // `nullable` allows null besides all that the other keywords of the schema allow (OpenAPI 3.0).
        let isAllowedNull = subject.value.isNull && schema.isTrue("nullable")
        if isAllowedNull { return Outcome(key: key) }

        let outcome = Outcome(key: key, problems: ownProblems(of: subject, by: schema))
        // If the type is wrong, the other keywords do not apply, and their problems would only be noise.
        let hasWrongType = outcome.problems.contains { $0.code == .type }
        if hasWrongType { return outcome }

        switch subject.value {
        case .array(let values): checkElements(values, of: subject, schema, addingTo: outcome)
        case .object(let members): checkMembers(members, of: subject, schema, addingTo: outcome)
        case .null, .bool, .number, .string: break
        }
        checkParts(of: schema, for: subject, addingTo: outcome)
        return outcome
    }

    /// Checks a value against the schemas that a schema is composed of: all of `allOf`, and the alternatives of `oneOf`
    /// and `anyOf`.
    private mutating func checkParts(of schema: Definition, for subject: Subject, addingTo outcome: Outcome) {
        for part in schema.allOf {
            outcome.addPart(self.outcome(of: part, for: subject))
        }
        for keyword in ["oneOf", "anyOf"] {
            let alternatives = schema.list(keyword)
            guard !alternatives.isEmpty else { continue }
            let discriminator = schema["discriminator"]
            for part in outcomes(ofAlternatives: alternatives, discriminator: discriminator, for: subject) {
                outcome.addPart(part)
            }
        }
    }

    /// The problems of the value itself, without the problems of its members and elements.
    private func ownProblems(of subject: Subject, by schema: Definition) -> [Problem] {
        let member = subject.place.description
        // In JSON Schema, `false` in place of a schema accepts no value at all.
        if schema.bool == false {
            return [Problem(.unknown, member, "is not allowed", schema.pointer)]
        }
        let check = ValueCheck(
            value: subject.value, member: member, schema: schema, direction: direction, isText: isText)
        return check.problems
    }

    /// Checks each element of a list by its schema: the one at its index in `prefixItems`, and `items` for the rest.
    /// An element without a schema may have any value.
    private mutating func checkElements(
        _ values: [JSONValue], of subject: Subject, _ schema: Definition, addingTo outcome: Outcome
    ) {
        let prefixSchemas = schema.list("prefixItems")
        let otherSchema = schema["items"]
        for (index, value) in values.enumerated() {
            let elementSchema = index < prefixSchemas.count ? prefixSchemas[index] : otherSchema
            guard let elementSchema else { continue }
            outcome.addInner(self.outcome(of: elementSchema, for: subject.element(value, at: index)), at: index)
        }
    }

    // MARK: - Members

    /// Checks the names and values of an object's members, and that no required member is missing. Also records in the
    /// outcome which members the schema describes.
    private mutating func checkMembers(
        _ members: JSONValue.Object, of subject: Subject, _ schema: Definition, addingTo outcome: Outcome
    ) {
        // A sample gives an additional member an arbitrary name, so its names are not matched with patterns.
        let rules = MemberRules(schema, triesPatterns: direction != .sample)
        outcome.describedNames.formUnion(rules.properties?.names ?? [])
        outcome.allowsOthers = rules.allowsOthers
        for (index, member) in members.enumerated() {
            let inner = subject.member(member, at: index)
            let rule = rules.rule(for: member.name)
            if rule.isNamed { outcome.describedNames.insert(member.name) }
            outcome.problems.add(presenceProblems(of: inner.place, rule, schema))
            for memberSchema in rule.schemas {
                outcome.addInner(self.outcome(of: memberSchema, for: inner), at: index)
            }
        }
        outcome.problems.add(missingMembers(of: subject, schema))
    }

    /// The problem of a member that must not be there, whatever its value is: the schema forbids it, or a request sends
    /// a member that only responses have.
    private func presenceProblems(of place: Place, _ rule: MemberRules.Rule, _ schema: Definition) -> [Problem] {
        if rule.isForbidden {
            let pointer = schema.pointer(to: "additionalProperties")
            return [Problem(.unknown, place.description, "is not in the description", pointer)]
        }
        if direction == .request, let property = rule.property, property.isTrue("readOnly") {
            let pointer = property.pointer(to: "readOnly")
            return [Problem(.readOnly, place.description, "is sent, and only responses have it", pointer)]
        }
        return []
    }

    /// A problem for each required member that an object does not have.
    ///
    /// A required member that is `readOnly` is required in responses only, and a `writeOnly` one in requests only
    /// (OpenAPI).
    private func missingMembers(of subject: Subject, _ schema: Definition) -> [Problem] {
        let exemption =
            switch direction {
            case .request: "readOnly"
            case .response, .sample: "writeOnly"
            }
        let pointer = schema.pointer(to: "required")
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
}
