import APIKitCore
import APIKitTesting

/// What a schema says about the members of an object.
struct MemberRules {
    /// What a schema says about one member.
    struct Rule {
        /// Its own schema.
        var property: Node?
        /// All schemas that it has to fit.
        var schemas: [Node] = []
        /// Whether the schema names the member, or may name it by a pattern.
        var isNamed = false
        /// Whether the schema says that there is no such member.
        var isForbidden = false
    }

    let properties: Node?
    private let patterns: [(name: String, node: Node)]
    private let additional: Node?
    private let triesPatterns: Bool

    /// Reads the rules of a schema, of which each pattern may match any name unless patterns are to be tried.
    init(_ schema: Node, triesPatterns: Bool) {
        properties = schema["properties"]
        patterns = schema["patternProperties"]?.members ?? []
        additional = schema["additionalProperties"]
        self.triesPatterns = triesPatterns
    }

    private var forbidsOthers: Bool { additional?.value.literal == "false" }

    /// Whether the schema says that there may be members that it does not name.
    var allowsOthers: Bool {
        // Patterns allow members, too, and without a word about others there may be some.
        guard additional != nil else { return !patterns.isEmpty }
        return !forbidsOthers
    }

    /// What the schema says about the member of a name.
    func rule(for name: String) -> Rule {
        var rule = Rule()
        if let property = properties?[name] {
            rule.property = property
            rule.schemas.append(property)
            rule.isNamed = true
        }
        for (pattern, schema) in patterns {
            let matches = triesPatterns ? name.matches(pattern: pattern) : nil
            switch matches {
            case true?:
                rule.schemas.append(schema)
                rule.isNamed = true
            case false?:
                break
            case nil:
                // A pattern that is not tried may match.
                rule.isNamed = true
            }
        }
        guard !rule.isNamed else { return rule }
        if forbidsOthers {
            rule.isForbidden = true
        } else if let additional {
            rule.schemas.append(additional)
        }
        return rule
    }
}
