/// The order in which a person would list members: identifiers and titles first, then contents, then dates and links.
///
/// It only depends on names and types, so that reordering a description does not change the generated code.
struct MemberOrder: Comparable {
    /// The groups of members, in their order.
    enum Section: Int { case identity, title, content, date, link, sorting, page }

    /// A section, and the rank of a member in it. Members of the same rank are sorted by their names.
    private struct Position: Equatable {
        let section: Section
        let rank: Int
    }

    private let position: Position
    /// The name, in a form that keeps pairs such as `start` and `end` together.
    private let sortedName: String

    var section: Section { position.section }

    /// Creates the order of a member: `id` is in the section `identity`, `created_at` in `date`, and `html_url` in
    /// `link`.
    ///
    /// - Parameters:
    ///   - name: The member's name in JSON.
    ///   - kind: The kind of its values.
    ///   - isParameter: Whether it is a parameter of an endpoint. Only then, a name such as `order` means how a list is
    ///     sorted.
    init(_ name: String, _ kind: Schema.Kind, isParameter: Bool = false) {
        let words = Words(name).words
        position = Self.position(of: words, kind, isParameter: isParameter)
        sortedName = Self.sortedName(name, words)
    }

    static func < (first: MemberOrder, second: MemberOrder) -> Bool {
        if first.section != second.section { return first.section.rawValue < second.section.rawValue }
        if first.position.rank != second.position.rank { return first.position.rank < second.position.rank }
        return first.sortedName < second.sortedName
    }

    // MARK: - Positions

    /// The position of a member: that of a well-known name such as `title`, or else the one for dates, links or
    /// contents.
    private static func position(of words: [String], _ kind: Schema.Kind, isParameter: Bool) -> Position {
        if let known = knownPosition(of: words.joined(), isParameter: isParameter) { return known }
        if isDate(words, kind) { return Position(section: .date, rank: dateRank(of: words)) }
        if let last = words.last, linkWords.contains(last) { return Position(section: .link, rank: 0) }
        return Position(section: .content, rank: kind.contentRank)
    }

    /// The position of a well-known name, given as its joined words: `fullname` for `full_name`. Nil for other names.
    private static func knownPosition(of name: String, isParameter: Bool) -> Position? {
        if let rank = identities.firstIndex(of: name) { return Position(section: .identity, rank: rank) }
        if isParameter, let rank = sortings.firstIndex(of: name) { return Position(section: .sorting, rank: rank) }
        if let rank = pages.firstIndex(of: name) { return Position(section: .page, rank: rank) }
        if let rank = titles.firstIndex(of: name) { return Position(section: .title, rank: rank) }
        return nil
    }

    /// Whether a member is a date, by its kind or by a name such as `created_at` and `date_of_birth`.
    private static func isDate(_ words: [String], _ kind: Schema.Kind) -> Bool {
        switch kind {
        case .date, .unixTime: return true
        default: break
        }
        if words.first == "date" { return true }
        // Without a word before it, `on` is usually a flag, and `at` a place.
        return words.count > 1 && ["at", "on"].contains(words.last)
    }

    /// The rank of a date: `created_at` comes before `updated_at`, and other dates follow.
    private static func dateRank(of words: [String]) -> Int {
        let changes = ["created", "updated", "modified"]
        return changes.firstIndex { words.contains($0) } ?? changes.count
    }

    /// A text to sort a name by. In a pair such as `start` and `end`, the second word is replaced by the first, so that
    /// `end_date` is listed directly after `start_date`.
    private static func sortedName(_ name: String, _ words: [String]) -> String {
        let wordsOfFirst = words.map { firstOfPair[$0] ?? $0 }
        // `~` is greater than a space, so `start_date~ end_date` is listed after `start_date start_date`.
        let mark = wordsOfFirst == words ? "" : "~"
        return "\(wordsOfFirst.joined(separator: "_"))\(mark) \(name)"
    }

    // MARK: - Known words

    /// The last words of names of links.
    private static let linkWords: Set = ["url", "uri", "href", "link", "links", "urls"]

    private static let identities = ["id", "gid", "sid", "uuid", "guid", "uid", "key", "nodeid", "number", "sha"]

    private static let titles = [
        "name", "fullname", "firstname", "lastname", "displayname", "friendlyname", "login", "username", "slug",
        "email", "title", "subject", "label", "code", "type", "kind", "status", "state", "description", "summary",
        "message", "body", "text", "content", "data", "items", "results", "entries",
    ]

    /// The first word of a pair, by the second one: `end` follows `start`.
    private static let firstOfPair = [
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
    /// The rank in the section `content`: texts and numbers, then flags, objects, and lists.
    fileprivate var contentRank: Int {
        switch self {
        case .string, .constant, .integer, .number, .date, .unixTime, .bytes: 0
        case .fixed(_, let kind): kind.contentRank
        case .boolean: 1
        case .any, .model: 2
        case .list, .dictionary: 3
        }
    }
}
