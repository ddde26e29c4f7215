/// How a query or a form writes what it has no standard for: lists, members, Bools and dates.
///
/// `ParameterStyle(lists: .indexed)` writes `["supply": .list([.object(["description": "x"])])]` as
/// `supply[0][description]=x`. JSON bodies take the dates from it and have their own way for the rest.
public struct ParameterStyle: Sendable, Hashable {
    /// How a list is written.
    public enum Lists: Sendable, Hashable {
        /// `tag=a&tag=b`
        case repeated
        /// `tag[]=a&tag[]=b`
        case brackets
        /// `tag[0]=a&tag[1]=b`
        case indexed
        /// `tag=a,b`; for plain values alone, and none of them should hold a comma in a form.
        case commas
    }

    /// How the members of an object are written.
    public enum Members: Sendable, Hashable {
        /// `user[name]=a`
        case brackets
        /// `user.name=a`
        case dots
    }

    /// How a Bool is written.
    public enum Booleans: Sendable, Hashable {
        /// `true` and `false`
        case words
        /// `1` and `0`
        case digits
    }

    /// How a date is written; one outside the years 0 to 9999 is a ``RequestError``.
    ///
    /// A style holds for all dates of an API. A parameter that is written in another way says so itself:
    /// `["born": .date(birthday, as: .dateOnly())]`.
    public enum Dates: Sendable, Hashable {
        /// `2026-11-20T18:30:00Z`: whole seconds, UTC (ISO 8601, RFC 3339).
        case iso8601
        /// `2026-11-20T18:30:00.250Z`: milliseconds, always with three digits, UTC.
        case iso8601WithFractionalSeconds
        /// `2026-11-20`: the day that the date falls on in a time zone, UTC by default. For a date that a user picked,
        /// that is `.dateOnly(in: .current)`: midnight in Berlin is still the day before in UTC.
        case dateOnly(in: TimeZone = .gmt)
        /// Whole seconds since 1970.
        case secondsSince1970
        /// Whole milliseconds since 1970.
        case millisecondsSince1970
    }

    /// How a list is written; repeated unless told otherwise.
    public var lists: Lists
    /// How the members of an object are written; in brackets unless told otherwise.
    public var members: Members
    /// How a Bool is written; as a word unless told otherwise.
    public var booleans: Booleans
    /// How a date is written; by ISO 8601 unless told otherwise.
    public var dates: Dates

    /// Makes a style; what is not named stays as usual.
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
