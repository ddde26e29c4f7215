/// An API as a description or a recording shows it. Readers of both formats create it, and the later steps use it.
///
/// A reader adds ``endpoints``, and ``models`` for all values that need a Swift type of their own. Names are those of
/// the source, and nothing is sorted. The steps `Name` and `Shape` choose Swift names and find out which models are
/// used.
struct API {
    /// The title, such as "GitHub" or "The GitHub API"; it appears in comments only.
    var title: String
    /// The base URL; nil if it is unknown.
    var baseURL: String?
    /// Whether it was read from a recording.
    var isRecorded = false
    /// The parameter in the path of the base URL: all paths begin with it.
    var sharedParameter: Parameter?
    /// Headers of every request.
    var headers: [String: String] = [:]
    /// All servers with an absolute URL, the main one first; empty for a recording.
    var servers: [Server] = []
    /// The ways in which the API identifies the sender of a request.
    var securitySchemes: [SecurityScheme] = []
    /// The security requirements, one of which a request has to fulfill unless its operation has own ones. Nil if the
    /// source does not say.
    var security: [SecurityRequirement]?
    /// The endpoints, in any order.
    var endpoints: [Endpoint] = []
    /// The messages that the API sends to servers of its users, in any order.
    var webhooks: [Webhook] = []
    /// The operations that are missing from the endpoints, since they cannot be read. Only their names, paths and tags
    /// are known.
    var skippedOperations: [Endpoint] = []
    /// Objects, enums and unions, by identifier. Every ``Schema/Kind/model(_:)`` names one of them.
    var models: [ModelID: Model] = [:]
    /// The parts of the source that the code does not represent as described.
    var notes: [Note] = []
    /// The files of the description; nil for a recording.
    var documents: Documents?
}

/// A part of the source that the generated code does not represent as described. The summary has a line for each kind
/// of them, with the number of such parts.
struct Note: Hashable {
    /// The way in which the code differs from the source.
    enum Kind: String {
        /// The endpoint or the part of it is not generated.
        case skipped
        /// The code represents less than the source describes.
        case simplified
        /// The code follows a recording, which contradicts the source.
        case corrected
        /// The endpoint has a base of its own. Clients that send credentials have to be configured for it too.
        case separate
        /// An extension, whose name is the text, has no effect on the code.
        case unused = "not used"
    }

    /// The way in which the code differs from the source.
    var kind: Kind
    /// The part of the source, such as "cookie parameter session".
    var text: String
    /// What similar notes have in common. The summary has one line for all of them.
    var pattern: String
    /// The location in the source.
    var place: Place

    /// Creates a note.
    init(_ kind: Kind, _ text: NoteText, at place: Place) {
        self.kind = kind
        self.text = text.text
        pattern = text.pattern
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
