/// The order in which a person lists members: what identifies a value and what it is called, then what it holds, then
/// when it changed and where it is. It depends on names and types alone, so that the order of a description does not
/// matter.
struct MemberOrder: Comparable {
    /// What a member is, in the order of the members.
    enum Section: Int { case identity, title, content, date, link, sorting, page }

    let section: Section
    /// What of the section comes first.
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

    /// The name with the first word of a pair in place of the second, so that the two stand together.
    private static func sortedName(_ name: String, _ words: [String]) -> String {
        let firsts = words.map { seconds[$0] ?? $0 }
        // The second of a pair comes after the first, although it is sorted by the same words.
        let mark = firsts == words ? "" : "~"
        return "\(firsts.joined(separator: "_"))\(mark) \(name)"
    }

    /// The section of a name that says by itself what it is, and the rank in it.
    private static func knownPlace(of name: String, isParameter: Bool) -> (section: Section, rank: Int)? {
        if let rank = identities.firstIndex(of: name) { return (.identity, rank) }
        if isParameter, let rank = sortings.firstIndex(of: name) { return (.sorting, rank) }
        if let rank = pages.firstIndex(of: name) { return (.page, rank) }
        if let rank = titles.firstIndex(of: name) { return (.title, rank) }
        return nil
    }

    /// Whether it is a moment or a day: `created_at`, `date_of_birth`.
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

    /// The second words of pairs, which follow the first ones: the end the start.
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
    /// Texts and numbers come before flags, and these before objects and lists.
    fileprivate var weight: Int {
        switch self {
        case .string, .constant, .integer, .number, .date, .unixTime, .bytes: 0
        case .boolean: 1
        case .any, .model: 2
        case .list, .dictionary: 3
        }
    }
}
