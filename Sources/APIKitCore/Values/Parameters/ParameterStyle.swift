/// The notation of lists, members, Bools and dates in a query or a form, for which there is no standard.
///
/// `ParameterStyle(lists: .indexed)` writes `["supply": .list([.object(["description": "x"])])]` as
/// `supply[0][description]=x`. JSON bodies use it only for dates.
public struct ParameterStyle: Sendable, Hashable {
    /// The notation of a list.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Lists: Sendable, Hashable {
        /// `tag=a&tag=b`
        case repeated
        /// `tag[]=a&tag[]=b`
        case brackets
        /// `tag[0]=a&tag[1]=b`
        case indexed
        /// `tag=a,b`, for plain values only; in a form a comma in a value looks like a separator.
        case commas
        /// `tag=a%20b`, for plain values only; a space in a value looks like a separator.
        case spaces
        /// `tag=a%7Cb`, for plain values only; a `|` in a value looks like a separator.
        case pipes
    }

    /// The notation of an object's members.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Members: Sendable, Hashable {
        /// `user[name]=a`
        case brackets
        /// `user.name=a`
        case dots
        /// `user=name,a`, for plain values only. The values of secret names are not masked in descriptions, which
        /// find them by `=`.
        case commas
    }

    /// The notation of a Bool.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`
        case words
        /// `1` and `0`
        case digits
    }

    /// The notation of a date; one outside the years 0 to 9999 causes a ``RequestError``.
    ///
    /// It applies to all dates of an API. A parameter overrides it with
    /// `["born": .date(birthday, as: .dateOnly())]`.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Dates: Sendable, Hashable {
        /// `2026-11-20T18:30:00Z`: whole seconds, UTC (ISO 8601, RFC 3339).
        case iso8601
        /// `2026-11-20T18:30:00.250Z`: milliseconds, always with three digits, UTC.
        case iso8601WithFractionalSeconds
        /// `2026-11-20`: the day of the date in a time zone, by default UTC. For a date that a user picked,
        /// use `.dateOnly(in: .current)`: midnight in Berlin is still the day before in UTC.
        case dateOnly(in: TimeZone = .gmt)
        /// `Sun, 06 Nov 1994 08:49:37 GMT`, as in headers (RFC 9110, section 5.6.7).
        case httpDate
        /// Whole seconds since 1970.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// The notation of a list; by default repeated.
    public var lists: Lists
    /// The notation of an object's members; by default in brackets.
    public var members: Members
    /// The notation of a Bool; by default as a word.
    public var booleans: Booleans
    /// The notation of a date; by default ISO 8601.
    public var dates: Dates

    /// Creates a style; unspecified values use their defaults.
    public init(
        lists: Lists = .repeated,
        members: Members = .brackets,
        booleans: Booleans = .words,
        dates: Dates = .iso8601
    ) {
        self.lists = lists
        self.members = members
        self.booleans = booleans
        self.dates = dates
    }
}
