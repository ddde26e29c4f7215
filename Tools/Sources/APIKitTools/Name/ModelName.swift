/// Chooses the names of models: without words such as "model" or "schema", and without the variety if possible.
enum ModelName {
    /// Words for a model that has the same subject as another one, but usually fewer members.
    private static let varieties: Set = ["base", "compact", "full", "minimal", "nullable", "simple", "simplified"]

    private static let suffixes: Set = [
        "body", "dto", "entity", "enum", "input", "model", "object", "output", "param", "params", "payload", "request",
        "resource", "response", "schema",
    ]

    /// Words that are too general to be a name on their own.
    private static let general: Set = ["api", "beta", "data", "list", "new", "error", "item"]

    /// The possible names of a model, the best one first. The last one is the description's own name.
    static func candidates(_ name: String, isRead: Bool) -> [String] {
        // In `api.v2010.account.call`, `call` is the best name. The namespaces before it are added if another model has
        // that name.
        let parts = name.split(separator: ".").map { Words(String($0)).words }.filter { !isVersion($0) }
        let isEnum = parts.joined().contains("enum")
        let starts = isEnum ? [0] : Array(parts.indices.reversed())
        var names: [String] = []
        for start in starts {
            let words = parts[start...].joined().filter { $0 != "enum" }
            for keepsVariety in [false, true] {
                let core = Core(of: words, isRead: isRead)
                if core.words.count == 1, general.contains(core.words[0]) { continue }
                var kept = core.words
                if keepsVariety, let variety = core.variety, variety != "nullable" {
                    kept.insert(variety, at: 0)
                }
                names.append(type(of: kept, isRead: isRead))
            }
        }
        names.append(Words(words: parts.joined().filter { $0 != "nullable" }).upperCamel)
        names.append(SwiftName.type(name))
        return names.filter(SwiftName.isIdentifier)
    }

    /// A name without the words that do not describe the subject of the model.
    private struct Core {
        var words: [String]
        /// The variety of the model, such as `simple`.
        var variety: String?

        /// Removes suffixes such as "schema", the version of the API, and the variety. At least one word is left.
        init(of name: [String], isRead: Bool) {
            words = name
            while words.count > 1, let last = words.last, suffixes.contains(last) || varieties.contains(last) {
                // In a model that is read, "request" belongs to the subject, as in "pull request". In one that is only
                // sent, it means the request of an endpoint.
                if last == "request", isRead { break }
                if varieties.contains(last) { variety = last }
                words.removeLast()
            }
            while words.count > 1, let first = words.first, Self.isPrefix(first) {
                if varieties.contains(first) { variety = first }
                words.removeFirst()
            }
        }

        private static func isPrefix(_ word: String) -> Bool {
            word == "api" || isVersion([word]) || varieties.contains(word)
        }
    }

    /// Whether a name has the word of a variety, such as "simple".
    static func isVariety(_ name: String) -> Bool { !varieties.isDisjoint(with: Words(name).words) }

    private static func isVersion(_ words: [String]) -> Bool {
        guard words.count == 1, words[0].hasPrefix("v") else { return false }
        let number = words[0].dropFirst()
        return !number.isEmpty && number.allSatisfy(\.isWholeNumber)
    }

    /// The type's name. A leading verb becomes part of a noun: `create issue` is `NewIssue` if it is only sent.
    private static func type(of words: [String], isRead: Bool) -> String {
        let name = Words(words: words).upperCamel
        let object = Words(words: Array(words.dropFirst()))
        guard !object.words.isEmpty else { return name }
        if isRead {
            switch words[0] {
            case "create", "get", "update", "retrieve": return object.upperCamel
            case "list": return "\(object.singular.upperCamel)List"
            case "delete": return "\(object.upperCamel)Deletion"
            default: return name
            }
        }
        switch words[0] {
        case "create": return "New\(object.upperCamel)"
        case "update": return "\(object.upperCamel)Update"
        default: return name
        }
    }
}
