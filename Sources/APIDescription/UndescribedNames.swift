import APIKitCore
import APIKitTesting
import OpenAPIRules

/// Finds the members of a value, and of the values within it, that no schema describes.
///
/// They cannot be found while a single schema is applied: a member may be described by any schema that the same value
/// has to fit, such as another part of an `allOf` around the object that the value is a member of. So this search
/// begins when the whole value has been checked. It then has the outcomes of all schemas that apply to each value.
struct UndescribedNames {
    typealias Problem = APIDescription.Problem
    typealias Subject = SchemaCheck.Subject
    typealias Outcome = SchemaCheck.Outcome
    typealias OutcomeKey = SchemaCheck.OutcomeKey

    /// What all schemas that apply to an object say about its members.
    struct Description {
        var names: Set<String> = []
        var allowsOthers = false
        /// The outcomes for each member or element, by its position.
        var inner: [Int: [OutcomeKey]] = [:]

        // A schema that describes no members at all allows any object.
        var mustHaveAllMembers: Bool { !names.isEmpty && !allowsOthers }
    }

    private let outcomes: [OutcomeKey: Outcome]
    /// The members that are reported already, because of `additionalProperties: false`.
    private let reported: Set<String>

    /// Returns a problem for each member that no schema describes.
    ///
    /// - Parameters:
    ///   - subject: The whole value.
    ///   - outcome: The outcome of its schema.
    ///   - outcomes: The outcomes of all schemas that were applied to the value and the values within it.
    /// - Returns: The problems, without those of members that the outcome reports itself.
    static func problems(
        of subject: Subject, _ outcome: Outcome, among outcomes: [OutcomeKey: Outcome]
    ) -> [Problem] {
        let reported = Set(outcome.problems.filter { $0.code == .unknown }.map(\.member))
        return UndescribedNames(outcomes: outcomes, reported: reported).problems(of: subject, [outcome.key])
    }

    /// Collects what the schema of an outcome and the schemas that it is composed of say about an object's members.
    static func described(by outcome: Outcome, among outcomes: [OutcomeKey: Outcome]) -> Description {
        UndescribedNames(outcomes: outcomes, reported: []).description(by: [outcome.key])
    }

    /// Combines what the schemas of some outcomes, and the schemas that they are composed of, say about the members of
    /// the same object. A schema that several others are composed of counts once.
    private func description(by keys: [OutcomeKey]) -> Description {
        var description = Description()
        var unvisited = keys
        var visited: Set<OutcomeKey> = []
        while let key = unvisited.popLast() {
            let isNew = visited.insert(key).inserted
            guard isNew else { continue }
            guard let outcome = outcomes[key] else {
                // Because of a limit, the schema was not applied. It may describe any member, so none is reported.
                description.allowsOthers = true
                continue
            }
            description.names.formUnion(outcome.describedNames)
            description.allowsOthers = description.allowsOthers || outcome.allowsOthers
            for (position, inner) in outcome.inner { description.inner[position, default: []].append(inner) }
            unvisited += outcome.parts.reversed()
        }
        return description
    }

    /// The problems of a value, to which the schemas of some outcomes and the schemas that they are composed of apply.
    private func problems(of subject: Subject, _ keys: [OutcomeKey]) -> [Problem] {
        let description = description(by: keys)
        var problems: [Problem] = []
        if description.mustHaveAllMembers {
            // Several schemas may apply to the value. The problem names the first one as the place to describe it.
            let pointer = Reference.pointer(Definition.pointer(keys[0].schemaPath), "properties")
            for name in subject.value.names where !description.names.contains(name) {
                let member = subject.place.member(name).description
                if reported.contains(member) { continue }
                problems.add(.unknown, member, "is not in the description", pointer)
            }
        }
        for (position, inner) in subject.inner.enumerated() {
            // Without a schema, a member or an element may be any value.
            guard let innerKeys = description.inner[position] else { continue }
            problems.add(self.problems(of: inner, innerKeys))
        }
        return problems
    }
}

extension SchemaCheck.Subject {
    /// The members of an object, or the elements of a list.
    fileprivate var inner: [Self] {
        switch value {
        case .object(let members): members.enumerated().map { member($1, at: $0) }
        case .array(let values): values.enumerated().map { element($1, at: $0) }
        case .null, .bool, .number, .string: []
        }
    }
}
