/// One operation: a method on a path.
public struct Endpoint {
    /// The name that the source gives it, such as `repos/list-for-user`; nil if it has none.
    public var name: String?
    /// The method in upper case.
    public var method: String
    /// The path below the base URL, with its parameters in braces: `/users/{id}/avatar.png`. A query is not part of it.
    public var path: String
    /// The groups it belongs to; the first one is its folder.
    public var tags: [String] = []
    /// One line.
    public var summary: String?
    /// More lines.
    public var documentation: String?
    /// Whether it should not be used any longer.
    public var isDeprecated = false
    /// The base URL, if it differs from that of the API.
    public var baseURL: String?
    /// The parameters in path, query and headers; each path parameter stands in the path.
    public var parameters: [Parameter] = []
    /// The body; nil if there is none.
    public var body: Body?
    /// The responses, of any status.
    public var responses: [Response] = []
    /// Where it is.
    public var place: Place

    /// Creates an endpoint.
    public init(name: String? = nil, method: String, path: String, place: Place) {
        self.name = name
        self.method = method
        self.path = path
        self.place = place
    }
}

/// A parameter of an endpoint that is not in its body.
public struct Parameter {
    /// Where a parameter is sent.
    public enum Location: String { case path, query, header }

    /// How a list or an object is written.
    public enum Style {
        /// `ids=1&ids=2`, the default; an object's members are parameters of their own.
        case repeated
        /// `ids=1,2`, `ids=1|2` or `ids=1%202`.
        case separated(String)
        /// `user[name]=a`
        case members
        /// A JSON text.
        case json
    }

    /// The name as it is sent.
    public var name: String
    /// Where it is sent.
    public var location: Location
    /// Whether a request without it is refused.
    public var isRequired: Bool
    /// Its values.
    public var schema: Schema
    /// How lists and objects are written.
    public var style = Style.repeated
    /// In a path: whether its value may hold slashes.
    public var keepsSlashes = false
    /// A value that is sent unless the caller chooses another one, as a literal of the schema's kind.
    public var initialValue: Node?
    /// Where it is.
    public var place: Place

    /// Creates a parameter.
    public init(_ name: String, in location: Location, isRequired: Bool, schema: Schema, place: Place) {
        self.name = name
        self.location = location
        self.isRequired = isRequired
        self.schema = schema
        self.place = place
    }
}

/// The body of a request.
public struct Body {
    /// Its type, such as `application/json`.
    public var mediaType: String
    /// Its content.
    public var schema: Schema
    /// Whether a request without it is refused.
    public var isRequired: Bool
    /// In a form: how lists and objects in members are written, if not the usual way.
    public var styles: [String: Parameter.Style] = [:]
    /// Where it is.
    public var place: Place

    /// Creates a body.
    public init(_ mediaType: String, _ schema: Schema, isRequired: Bool = true, place: Place) {
        self.mediaType = mediaType
        self.schema = schema
        self.isRequired = isRequired
        self.place = place
    }
}

/// A response of an endpoint.
public struct Response {
    /// The statuses it is for; nil for all that no other response is for.
    public var statuses: ClosedRange<Int>?
    /// Its contents by media type; empty if it has no body.
    public var contents: [(mediaType: String, schema: Schema)] = []
    /// The names of its headers, in lower case.
    public var headers: Set<String> = []
    /// Where it is.
    public var place: Place

    /// Creates a response.
    public init(statuses: ClosedRange<Int>?, place: Place) {
        self.statuses = statuses
        self.place = place
    }
}
