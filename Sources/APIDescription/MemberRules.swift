import APIKitCore
import APIKitTesting

/// The rules of a schema for the members of an object, without those of the schemas that it is composed of.
struct MemberRules {
    /// The rules for one member.
    struct Rule {
        /// The schema that `properties` has for the member.
        var property: Definition?
        /// All schemas that the member has to fit.
        var schemas: [Definition] = []
        /// Whether `properties` or a pattern describes the member. If it is unknown whether a pattern matches, it
        /// counts as described.
        var isNamed = false
        /// Whether the schema forbids the member.
        var isForbidden = false
    }

    let properties: Definition?
    private let patterns: [(name: String, definition: Definition)]
    private let additional: Definition?
    /// Whether names are matched with patterns. If false, each pattern may match any name.
    private let triesPatterns: Bool

    /// Reads the rules of a schema.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - triesPatterns: Whether names are matched with patterns. If false, each pattern may match any name.
    init(_ schema: Definition, triesPatterns: Bool) {
        properties = schema["properties"]
        patterns = schema["patternProperties"]?.members ?? []
        additional = schema["additionalProperties"]
        self.triesPatterns = triesPatterns
    }

    private var forbidsOthers: Bool { additional?.bool == false }

    /// Whether the schema explicitly allows members that `properties` does not name.
    var allowsOthers: Bool {
        if additional != nil { return !forbidsOthers }
        // Without `additionalProperties`, JSON Schema allows any members, but only a schema with patterns shows that
        // they are intended.
        return !patterns.isEmpty
    }

    /// Collects the rules for the member with a name: those of `properties` and of all patterns that match. Only if
    /// none of them describes the member, `additionalProperties` applies.
    func rule(for name: String) -> Rule {
        var rule = Rule()
        if let property = properties?[name] {
            rule.property = property
            rule.schemas.append(property)
            rule.isNamed = true
        }
        for (pattern, schema) in patterns {
            switch match(name, with: pattern) {
            case .matches:
                rule.schemas.append(schema)
                rule.isNamed = true
            case .unknown:
                // The pattern may describe the member, so the member does not count as an additional one.
                rule.isNamed = true
            case .differs:
                break
            }
        }
        if rule.isNamed { return rule }
        if forbidsOthers {
            rule.isForbidden = true
        } else if let additional {
            rule.schemas.append(additional)
        }
        return rule
    }

    private func match(_ name: String, with pattern: String) -> PatternMatch {
        triesPatterns ? name.match(with: pattern) : .unknown
    }
}
