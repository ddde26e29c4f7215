internal import Foundation

/// The names of an endpoint that follow from its method and its path.
struct PathNames {
    /// The name of the last noun alone: `ListTasks` for `/teams/{id}/projects/{id}/tasks`. Nil for an action, whose
    /// object is the noun before it.
    let withoutParents: String?
    /// The names that add the nouns before the last one, one more with each name: `ListProjectTasks` and
    /// `ListTeamProjectTasks`.
    let withParents: [String]

    /// All names, the shortest one first.
    var all: [String] {
        guard let withoutParents else { return withParents }
        return [withoutParents] + withParents
    }

    /// The names with parents, or all names if there are no parents.
    var longer: [String] { withParents.isEmpty ? all : withParents }

    private init(_ withoutParents: String?, withParents: [String] = []) {
        self.withoutParents = withoutParents
        self.withParents = withParents
    }

    /// Writes the names of what an endpoint does: `ListTasks`, `ListProjectTasks` and `ListTeamProjectTasks` for a GET
    /// of `/teams/{id}/projects/{id}/tasks`.
    init(_ meaning: PathMeaning) {
        switch meaning {
        case .root(let method):
            self.init(SwiftName.type("\(method.lowercased())Root"))
        case .search(let method, let parent):
            let name = Words(words: ["search"] + Words(parent ?? "").words).upperCamel
            // A GET of the same path may get the first name.
            self.init(name, withParents: method == "POST" ? ["\(name)ByBody"] : [])
        case .action(let action, let parents):
            // The path `/pay` has nothing that could be the object.
            self.init(parents.isEmpty ? action.upperCamel : nil, withParents: Self.names(of: action, on: parents))
        case .verb(let verb, let object, let parents):
            let withParents = Self.growingEnds(of: parents).map { parents in
                Words(words: [verb] + parents + object).upperCamel
            }
            self.init(Words(words: [verb] + object).upperCamel, withParents: withParents)
        }
    }

    /// The names of an action: `PayInvoice` and `PayTeamInvoice` for `/teams/{id}/invoices/{id}/pay`. If the action has
    /// several words and begins with a verb, the object comes after the verb: `CountMessageTokens` for
    /// `/messages/count_tokens`.
    private static func names(of action: Words, on parents: [String]) -> [String] {
        let first = action.words.first ?? ""
        let beginsWithVerb = EndpointName.isVerbOfPath(first)
        return growingEnds(of: parents).map { object in
            if !beginsWithVerb { return Words(words: action.words + object).upperCamel }
            // The verb is not looked up among acronyms: `pin` becomes `Pin`, not `PIN`.
            return first.capitalized + Words(words: object + action.words.dropFirst()).upperCamel
        }
    }

    /// The words of the last noun, then those of the last two, and so on, each noun in the singular: `project`, then
    /// `team project`, for `teams` and `projects`.
    private static func growingEnds(of nouns: [String]) -> [[String]] {
        let singulars = nouns.map { Words($0).singular.words }
        return singulars.indices.reversed().map { start in Array(singulars[start...].joined()) }
    }
}
