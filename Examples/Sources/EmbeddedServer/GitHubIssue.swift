import Foundation

/// An issue as GitHub describes it.
struct GitHubIssue {
    let number: Int
    let isOpen: Bool
    let labels: [String]
    let title: String

    private static let authors = GitHubUser.invented(20)

    /// The entry in a list of issues.
    func entry(repository: String, baseURL: String) -> JSON {
        [
            "url": .string("\(baseURL)/repos/\(repository)/issues/\(number)"),
            "html_url": .string("https://github.com/\(repository)/issues/\(number)"),
            "id": .integer(1_000_000 + number),
            "number": .integer(number),
            "title": .string(title),
            "state": isOpen ? "open" : "closed",
            "labels": .array(labels.map { ["name": .string($0)] }),
            "comments": .integer(number * 7 % 12),
            "user": Self.authors[number % Self.authors.count].entry(baseURL: baseURL),
            "created_at": .string(Date(timeIntervalSince1970: 1_735_689_600 + Double(number) * 9_001).ISO8601Format()),
        ]
    }

    /// A fixed list of issues, the newest first.
    static func invented(_ count: Int) -> [GitHubIssue] {
        (1...count).reversed().map { number in
            let label = ["bug", "docs", "help wanted"][number % 3]
            return GitHubIssue(
                number: number, isOpen: !number.isMultiple(of: 4),
                labels: number.isMultiple(of: 5) ? [] : [label], title: title(number))
        }
    }

    private static func title(_ number: Int) -> String {
        let verbs = ["Crash", "Wrong result", "Warning", "Slow response", "Missing text"]
        let places = [
            "at startup", "after a redirect", "in the list", "with an empty name", "on a slow network", "twice",
        ]
        return "\(verbs[number % verbs.count]) \(places[number % places.count])"
    }
}
