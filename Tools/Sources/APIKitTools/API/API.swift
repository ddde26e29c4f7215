/// An API, as a description or a recording shows it: what every reader fills, and what the later steps read.
///
/// A reader of another format creates ``endpoints``, and ``models`` for everything that needs a Swift type of its own.
/// Nothing in here is named in Swift's way, sorted or checked for use: those are the steps `Name` and `Shape`.
struct API {
    /// The title, such as "GitHub" or "The GitHub API"; it appears in comments only.
    var title: String
    /// The base URL; nil if it is unknown.
    var baseURL: String?
    /// Headers of every request.
    var headers: [String: String] = [:]
    /// Sentences about the credentials that the API expects. They become a comment, and never hold a secret.
    var credentials: [String] = []
    /// The endpoints, in any order.
    var endpoints: [Endpoint] = []
    /// How many operations of the source are not among the endpoints, since they cannot be read.
    var skippedOperations = 0
    /// Objects, enums and unions, by identifier. Every ``Schema/Kind/model(_:)`` names one of them.
    var models: [ModelID: Model] = [:]
    /// What cannot be kept.
    var notes: [Note] = []
}

/// Something that a source says and generated code does not, as a line of the summary.
struct Note: Hashable {
    /// What happens to it.
    enum Kind: String {
        /// The endpoint or the part of it is not generated.
        case skipped
        /// It is generated, but less is known of it than the source says.
        case simplified
        /// It is not generated as the source says, since a recording shows otherwise.
        case corrected
        /// It has a base of its own, which clients with credentials have to name too.
        case separate
    }

    /// What happens to it.
    var kind: Kind
    /// What it is, such as "cookie parameter session".
    var text: String
    /// Where it is.
    var place: Place

    /// Creates a note.
    init(_ kind: Kind, _ text: String, at place: Place) {
        self.kind = kind
        self.text = text
        self.place = place
    }
}

/// A place in a description or a recording.
struct Place: Hashable, CustomStringConvertible {
    /// The file, as the user named it, or relative to it.
    var file: String
    /// The line, from 1; 0 if unknown.
    var line = 0
    /// The path of the value in its file, as a JSON pointer (RFC 6901).
    var path = ""

    /// `api.yaml, line 412, /paths/~1users/get`
    var description: String {
        var parts = [file]
        if line > 0 { parts.append("line \(line)") }
        if !path.isEmpty { parts.append(path) }
        return parts.joined(separator: ", ")
    }
}
