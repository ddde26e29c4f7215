/// The order in which a person would list members: identifiers and titles first, then contents, then dates and links.
///
/// It only depends on names and types, so that reordering a description does not change the generated code.
struct MemberOrder: Comparable {
    /// The groups of members, in their order.
    enum Section: Int { case identity, title, content, date, link, sorting, page }

    let section: Section
    /// The position of the member in its section.
    private let rank: Int
    private let name: String

    init(_ name: String, _ kind: Schema.Kind, isParameter: Bool = false) {
        let words = Words(name).words
        self.name = Self.sortedName(name, words)
        if let place = Self.knownPlace(of: words.joined(), isParameter: isParameter) {
            section = place.section
            rank = place.rank
        } else if Self.isDate(words, kind) {
            section = .date
            let changes = ["created", "updated", "modified"]
            rank = changes.firstIndex { words.contains($0) } ?? changes.count
        } else if let last = words.last, Self.links.contains(last) {
            section = .link
            rank = 0
        } else {
            section = .content
            rank = kind.weight
        }
    }

    /// A text to sort a name by. In a pair such as `start` and `end`, the second word is replaced by the first, so that
    /// `end_date` is listed next to `start_date`.
    private static func sortedName(_ name: String, _ words: [String]) -> String {
        let firsts = words.map { seconds[$0] ?? $0 }
        // `~` is greater than all letters, so the second name of a pair is listed after the first.
        let mark = firsts == words ? "" : "~"
        return "\(firsts.joined(separator: "_"))\(mark) \(name)"
    }

    /// The section of a well-known name, and its rank in that section; nil for other names.
    private static func knownPlace(of name: String, isParameter: Bool) -> (section: Section, rank: Int)? {
        if let rank = identities.firstIndex(of: name) { return (.identity, rank) }
        if isParameter, let rank = sortings.firstIndex(of: name) { return (.sorting, rank) }
        if let rank = pages.firstIndex(of: name) { return (.page, rank) }
        if let rank = titles.firstIndex(of: name) { return (.title, rank) }
        return nil
    }

    /// Whether a member is a date, by its kind or by a name such as `created_at` and `date_of_birth`.
    private static func isDate(_ words: [String], _ kind: Schema.Kind) -> Bool {
        switch kind {
        case .date, .unixTime: return true
        default: break
        }
        if words.first == "date" { return true }
        return words.count > 1 && ["at", "on"].contains(words.last)
    }

    static func < (first: MemberOrder, second: MemberOrder) -> Bool {
        (first.section.rawValue, first.rank, first.name) < (second.section.rawValue, second.rank, second.name)
    }

    private static let links: Set = ["url", "uri", "href", "link", "links", "urls"]

    private static let identities = ["id", "gid", "sid", "uuid", "guid", "uid", "key", "nodeid", "number", "sha"]

    private static let titles = [
        "name", "fullname", "firstname", "lastname", "displayname", "friendlyname", "login", "username", "slug",
        "email", "title", "subject", "label", "code", "type", "kind", "status", "state", "description", "summary",
        "message", "body", "text", "content", "data", "items", "results", "entries",
    ]

    /// Pairs of words, by the second one: `end` follows `start`.
    private static let seconds = [
        "end": "start", "height": "width", "longitude": "latitude", "max": "min", "maximum": "minimum", "to": "from",
        "until": "since",
    ]

    private static let sortings = ["sort", "sortby", "orderby", "order", "sortorder", "sortdirection", "direction"]

    private static let pages = [
        "cursor", "after", "before", "startingafter", "endingbefore", "pagetoken", "nexttoken", "page", "pagenumber",
        "start", "end", "offset", "limit", "perpage", "pagesize", "maxresults", "totalcount", "total", "hasmore",
        "meta",
    ]
}

extension Schema.Kind {
    /// The position among members of the section `content`: texts and numbers, then flags, objects, and lists.
    fileprivate var weight: Int {
        switch self {
        case .string, .constant, .integer, .number, .date, .unixTime, .bytes: 0
        case .boolean: 1
        case .any, .model: 2
        case .list, .dictionary: 3
        }
    }
}
