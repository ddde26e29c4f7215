/// An API, as a description or a recording shows it: what every reader fills, and what the later steps read.
///
/// A reader of another format creates ``endpoints``, and ``models`` for everything that needs a Swift type of its own.
/// Nothing in here is named in Swift's way, sorted or checked for use: those are the steps `Name` and `Shape`.
public struct API {
    /// The title, as in "The GitHub API"; it appears in comments only.
    public var title: String
    /// The base URL; nil if it is unknown.
    public var baseURL: String?
    /// Headers of every request.
    public var headers: [String: String] = [:]
    /// Sentences about the credentials that the API expects. They become a comment, and never hold a secret.
    public var credentials: [String] = []
    /// The endpoints, in any order.
    public var endpoints: [Endpoint] = []
    /// Objects, enums and unions, by identifier. Every ``Schema/Kind/model(_:)`` names one of them.
    public var models: [ModelID: Model] = [:]
    /// What cannot be kept.
    public var notes: [Note] = []

    /// Creates an API without endpoints.
    public init(title: String, baseURL: String? = nil) {
        self.title = title
        self.baseURL = baseURL
    }
}

/// Something that a source says and generated code does not, as a line of the summary.
public struct Note: Hashable {
    /// What happens to it.
    public enum Kind: String {
        /// The endpoint or the part of it is not generated.
        case skipped
        /// It is generated, but less is known of it than the source says.
        case simplified
    }

    /// What happens to it.
    public var kind: Kind
    /// What it is, such as "cookie parameter session".
    public var text: String
    /// Where it is.
    public var place: Place

    /// Creates a note.
    public init(_ kind: Kind, _ text: String, at place: Place) {
        self.kind = kind
        self.text = text
        self.place = place
    }
}

/// A place in a description or a recording.
public struct Place: Hashable, CustomStringConvertible {
    /// The file, as the user named it, or relative to it.
    public var file: String
    /// The line, from 1; 0 if unknown.
    public var line: Int
    /// The path of the value in its file, as a JSON pointer (RFC 6901).
    public var path: String

    /// Creates a place.
    public init(file: String, line: Int = 0, path: String = "") {
        self.file = file
        self.line = line
        self.path = path
    }

    /// `api.yaml, line 412, /paths/~1users/get`
    public var description: String {
        file + (line > 0 ? ", line \(line)" : "") + (path.isEmpty ? "" : ", \(path)")
    }
}
