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
        let pair = words.map { Self.seconds[$0] ?? $0 }
        self.name = pair.joined(separator: "_") + (pair == words ? "" : "~") + " \(name)"
        let joined = words.joined()
        let last = words.last ?? ""
        let isDate = if case .date = kind { true } else if case .unixTime = kind { true } else { false }
        if let index = Self.identities.firstIndex(of: joined) {
            (section, rank) = (.identity, index)
        } else if isParameter, let index = Self.sortings.firstIndex(of: joined) {
            (section, rank) = (.sorting, index)
        } else if let index = Self.pages.firstIndex(of: joined) {
            (section, rank) = (.page, index)
        } else if let index = Self.titles.firstIndex(of: joined) {
            (section, rank) = (.title, index)
        } else if isDate || words.count > 1 && ["at", "on"].contains(last) || words.starts(with: ["date"]) {
            let changes = ["created", "updated", "modified"]
            (section, rank) = (.date, changes.firstIndex { words.contains($0) } ?? changes.count)
        } else if ["url", "uri", "href", "link", "links", "urls"].contains(last) {
            (section, rank) = (.link, 0)
        } else {
            (section, rank) = (.content, kind.weight)
        }
    }

    static func < (first: MemberOrder, second: MemberOrder) -> Bool {
        (first.section.rawValue, first.rank, first.name) < (second.section.rawValue, second.rank, second.name)
    }

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
