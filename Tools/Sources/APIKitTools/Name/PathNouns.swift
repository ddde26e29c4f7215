internal import Foundation

/// The nouns of a path: `users` and `repos` for `/api/v1/users/{id}/repos.json`.
///
/// Each row is a rule, with a path that shows it:
///
/// | path | nouns | |
/// | --- | --- | --- |
/// | `/api/v1/users/{id}` | `users` | a value, a version and `api` are not nouns |
/// | `/files/{id}/thumbnail.{extension}` | `files`, `thumbnail` | three letters before a value are a noun |
/// | `/items/levels:append` | `items`, `levels`, `append` | a colon separates nouns, too |
/// | `/notifications/requests` | `notification_requests` | `requests` is joined with the noun before it |
/// | `/releases/latest` | `latest_release` | an adjective at the end is joined with a plural before it |
/// | `/cards/no_due_date` | `no_due_date_cards` | so are words that say what things of the plural lack |
struct PathNouns {
    /// The nouns, in their order.
    let all: [String]
    /// Whether the path ends in a value, such as `/users/{id}`. The segment `{id}:cancel` ends in an action.
    let endsInValue: Bool

    init(_ path: String) {
        let segments = path.split(separator: "/")
        endsInValue = segments.last?.split(separator: ":").last?.contains("{") == true
        let parts = segments.flatMap { $0.split(separator: ":") }
        let nouns = Self.withJoinedRequests(parts.compactMap(Self.noun))
        all = Self.withJoinedAdjective(nouns)
    }

    /// The last word of the last constant segment of a path: `repos` for `/users/{id}/user-repos/{name}.json`. Nil if
    /// the path only has values.
    static func lastWord(of path: String) -> String? {
        let parts = path.split { "/.".contains($0) }
        let segment = parts.last { !$0.contains("{") && $0 != "json" }
        guard let segment else { return nil }
        return Words(String(segment)).words.last
    }

    /// The noun in a segment of a path; nil for a value, a version or `api`.
    private static func noun(of segment: Substring) -> String? {
        let name = segment.replacing(".json", with: "")
        let beforeValue = name.prefix { $0 != "{" }
        let hasValue = beforeValue.endIndex < name.endIndex
        // In `{id}` and `v{version}`, there is no noun.
        if hasValue, beforeValue.count(where: \.isLetter) < 3 { return nil }
        if Words.isVersion(beforeValue) || beforeValue == "api" || beforeValue.isEmpty { return nil }
        return String(beforeValue)
    }

    /// Joins the noun `requests` with the one before it, since the names of all endpoints end in "Request" anyway.
    private static func withJoinedRequests(_ nouns: [String]) -> [String] {
        var joined: [String] = []
        for noun in nouns {
            if ["request", "requests"].contains(noun), let parent = joined.popLast() {
                joined.append((Words(parent).singular.words + [noun]).joined(separator: "_"))
            } else {
                joined.append(noun)
            }
        }
        return joined
    }

    /// Joins an adjective at the end with the plural before it.
    private static func withJoinedAdjective(_ nouns: [String]) -> [String] {
        guard nouns.count > 1, let last = nouns.last else { return nouns }
        let words = Words(last).words
        let saysWhatIsMissing = words.count > 1 && ["no", "without"].contains(words[0])
        guard last.mayBe(.adjective) || saysWhatIsMissing else { return nouns }
        let parent = Words(nouns[nouns.count - 2])
        let isPlural = parent.words != parent.singular.words
        guard isPlural else { return nouns }
        // The latest release is one, and the cards without a date are several.
        let joined = [last] + (saysWhatIsMissing ? parent : parent.singular).words
        return nouns.dropLast(2) + [joined.joined(separator: "_")]
    }
}
