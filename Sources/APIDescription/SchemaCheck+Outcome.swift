import APIKitCore

extension SchemaCheck {
    /// The value that is checked, or a value within it.
    struct Subject {
        let value: JSONValue
        /// The name of the value in problems, such as `body.user.name`.
        let place: Place
        /// The positions of the members and elements that lead to the value: `[2, 0]` for the first element of the
        /// third member.
        let path: [Int]

        func member(_ member: JSONValue.Object.Member, at index: Int) -> Subject {
            Subject(value: member.value, place: place.member(member.name), path: path + [index])
        }

        func element(_ value: JSONValue, at index: Int) -> Subject {
            Subject(value: value, place: place.element(index), path: path + [index])
        }
    }

    /// The result of checking a value against a schema.
    ///
    /// It is a class, since the functions that pass it on are recursive, and a value would take more of their stack.
    final class Outcome {
        let key: OutcomeKey
        var problems: [Problem]
        /// Whether the check ended early, since the schema or the value is too complex.
        var isIncomplete: Bool
        /// The names of the object's members that the schema itself describes.
        var describedNames: Set<String> = []
        /// Whether the schema itself explicitly allows members that it does not describe.
        var allowsOthers = false
        /// The outcomes of the schemas for the same value that this one is composed of, without the alternatives that
        /// the value does not fit.
        var parts: [OutcomeKey] = []
        /// The outcomes for the members or elements of the value, with their positions.
        var inner: [(position: Int, key: OutcomeKey)] = []

        init(key: OutcomeKey, problems: [Problem] = [], isIncomplete: Bool = false) {
            self.key = key
            self.problems = problems
            self.isIncomplete = isIncomplete
        }

        var fits: Bool { problems.isEmpty && !isIncomplete }

        /// Adds the outcome of another schema for the same value.
        func addPart(_ other: Outcome) {
            addProblems(of: other)
            parts.append(other.key)
        }

        /// Adds the outcome of a schema for the member or element at a position.
        func addInner(_ other: Outcome, at position: Int) {
            addProblems(of: other)
            inner.append((position, other.key))
        }

        private func addProblems(of other: Outcome) {
            problems.add(other.problems)
            isIncomplete = isIncomplete || other.isIncomplete
        }
    }

    /// Identifies the outcome of checking one value against one schema.
    struct OutcomeKey: Hashable {
        let valuePath: [Int]
        let schemaPath: String
    }
}
