/// The names of models: without what says only that they are models, and which variety.
enum ModelName {
    /// What says that a model has less than another one.
    private static let varieties: Set = ["base", "compact", "full", "minimal", "nullable", "simple", "simplified"]

    private static let suffixes: Set = [
        "body", "dto", "entity", "enum", "input", "model", "object", "output", "param", "params", "payload", "request",
        "resource", "response", "schema",
    ]

    /// Words that say nothing alone.
    private static let general: Set = ["api", "beta", "data", "list", "new", "error", "item"]

    /// The possible names of a model, the best one first. The last one is that of the description.
    static func candidates(_ name: String, isRead: Bool) -> [String] {
        // The name of a namespace, as in `api.v2010.account.call`, counts if there are others of the last part.
        let parts = name.split(separator: ".").map { Words(String($0)).words }.filter { !isVersion($0) }
        let isEnum = parts.joined().contains("enum")
        let starts = isEnum ? [0] : Array(parts.indices.reversed())
        var names: [String] = []
        for start in starts {
            let words = parts[start...].joined().filter { $0 != "enum" }
            for keepsVariety in [false, true] {
                var rest = words[...]
                var variety: [String] = []
                while rest.count > 1, let last = rest.last, suffixes.contains(last) || varieties.contains(last) {
                    // What is read is a pull request; what is only sent may be called the request of an endpoint.
                    if last == "request", isRead { break }
                    if varieties.contains(last) { variety = [last] }
                    rest.removeLast()
                }
                while rest.count > 1, let first = rest.first,
                    isVersion([first]) || first == "api" || varieties.contains(first)
                {
                    if varieties.contains(first) { variety = [first] }
                    rest.removeFirst()
                }
                if rest.count == 1, general.contains(rest.joined()) { continue }
                let kept = keepsVariety ? variety.filter { $0 != "nullable" } : []
                names.append(type(of: kept + rest, isRead: isRead))
            }
        }
        names.append(Words(words: parts.joined().filter { $0 != "nullable" }).upperCamel)
        return (names + [SwiftName.type(name)]).filter { SwiftName.isIdentifier($0) }
    }

    /// Whether a name says that the model has less than another one.
    static func isVariety(_ name: String) -> Bool { !varieties.isDisjoint(with: Words(name).words) }

    private static func isVersion(_ words: [String]) -> Bool {
        words.count == 1 && words[0].wholeMatch(of: /v\d+/) != nil
    }

    /// What a create or an update sends and what a list returns are named after what they are about.
    private static func type(of words: [String], isRead: Bool) -> String {
        let rest = Words(words: Array(words.dropFirst()))
        guard !rest.words.isEmpty else { return Words(words: words).upperCamel }
        switch (words[0], isRead) {
        case ("create", false): return "New\(rest.upperCamel)"
        case ("update", false): return "\(rest.upperCamel)Update"
        case ("create", true), ("get", true), ("update", true), ("retrieve", true): return rest.upperCamel
        case ("list", true): return "\(rest.singular.upperCamel)List"
        case ("delete", true): return "\(rest.upperCamel)Deletion"
        default: return Words(words: words).upperCamel
        }
    }
}
