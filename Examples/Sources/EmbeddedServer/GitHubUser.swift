import Foundation

/// A user as GitHub describes it.
struct GitHubUser {
    let id: Int
    let login: String

    /// The user's index in the list, which determines all of its invented values.
    private let index: Int

    private var isOrganization: Bool { index % 20 == 19 }

    /// The entry in a list of users.
    func entry(baseURL: String) -> JSON {
        .object(summary(baseURL: baseURL))
    }

    /// The complete description.
    func profile(baseURL: String) -> JSON {
        .object(summary(baseURL: baseURL) + details)
    }

    private func summary(baseURL: String) -> [(name: String, value: JSON)] {
        let url = "\(baseURL)/users/\(login)"
        return [
            ("login", .string(login)),
            ("id", .integer(id)),
            ("node_id", .string(nodeID)),
            ("avatar_url", "https://avatars.githubusercontent.com/u/\(id)?v=4"),
            ("gravatar_id", ""),
            ("url", .string(url)),
            ("html_url", "https://github.com/\(login)"),
            ("followers_url", "\(url)/followers"),
            ("following_url", "\(url)/following{/other_user}"),
            ("gists_url", "\(url)/gists{/gist_id}"),
            ("starred_url", "\(url)/starred{/owner}{/repo}"),
            ("subscriptions_url", "\(url)/subscriptions"),
            ("organizations_url", "\(url)/orgs"),
            ("repos_url", "\(url)/repos"),
            ("events_url", "\(url)/events{/privacy}"),
            ("received_events_url", "\(url)/received_events"),
            ("type", isOrganization ? "Organization" : "User"),
            ("user_view_type", "public"),
            ("site_admin", .bool(index % 50 == 49)),
        ]
    }

    private var details: [(name: String, value: JSON)] {
        // GitHub shows email addresses only to signed-in users, and writes an empty string for a missing blog.
        [
            ("name", .optional(index % 9 == 8 ? nil : name)),
            ("company", .optional(index % 3 == 1 ? nil : pick(["@github", "Initech", "Tyrell Archives", "Hooli"]))),
            ("blog", .string(index % 4 == 1 ? "" : "https://\(login).example.com")),
            ("location", .optional(index % 5 == 3 ? nil : pick(["Berlin", "Nairobi", "Lima", "Oslo", "Hanoi"]))),
            ("email", nil),
            ("hireable", index % 6 == 5 ? true : nil),
            ("bio", .optional(index % 2 == 1 ? nil : "Writes about \(pick(["compilers", "maps", "bread", "tides"])).")),
            ("twitter_username", .optional(index % 7 == 6 ? login : nil)),
            ("public_repos", .integer(index * 7 % 93)),
            ("public_gists", .integer(index * 5 % 41)),
            ("followers", .integer(index * 7_919 % 3_001)),
            ("following", .integer(index * 31 % 211)),
            ("created_at", .string(timestamp(1_192_857_859 + index * 29_003))),
            ("updated_at", .string(timestamp(1_735_689_600 + index * 9_001))),
        ]
    }

    private func timestamp(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format()
    }

    /// GitHub's first form of these: base64 of the type's length, the type and the id.
    private var nodeID: String {
        Data((isOrganization ? "012:Organization\(id)" : "04:User\(id)").utf8).base64EncodedString()
    }

    private var name: String {
        let first = pick(["Ada", "Bruno", "Chidi", "Dalia", "Emil", "Fatou", "Goran", "Hana", "Ines", "Jun", "Kofi"])
        let last = pick(["Abel", "Brandt", "Castro", "Diallo", "Eriksen", "Fuchs", "Gupta", "Hoang", "Ito", "Jansen"])
        return isOrganization ? "\(last) Foundation" : "\(first) \(last)"
    }

    private func pick(_ values: [String]) -> String {
        values[index % values.count]
    }
}

// MARK: - Invention

extension GitHubUser {
    /// A fixed list of users: GitHub's first three, then invented ones, with gaps between their ids.
    static func invented(_ count: Int) -> [GitHubUser] {
        let first = ["mojombo", "defunkt", "pjhyett"]
        // The counts have no common divisor, so the first 156 pairs are distinct.
        let adjectives = [
            "quiet", "brisk", "amber", "clever", "distant", "early",
            "frosty", "gentle", "hidden", "ivory", "jolly", "keen",
        ]
        let animals = [
            "otter", "heron", "badger", "lynx", "marten", "puffin", "raven",
            "stoat", "tern", "vole", "wren", "yak", "zebu",
        ]
        let gaps = [1, 1, 12, 1, 3, 1, 2, 7]
        var id = 0
        return (0..<count).map { index in
            id += index < first.count ? 1 : gaps[index % gaps.count]
            let login =
                index < first.count
                ? first[index] : adjectives[index % adjectives.count] + animals[index % animals.count]
            return GitHubUser(id: id, login: login, index: index)
        }
    }
}
