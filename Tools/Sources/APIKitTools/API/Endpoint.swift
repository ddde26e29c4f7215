import OpenAPIRules

/// One operation: a method on a path.
struct Endpoint {
    /// The name that the source gives it, such as `repos/list-for-user`; nil if it has none.
    var name: String?
    /// The method in upper case.
    var method: String
    /// The path below the base URL, with its parameters in braces: `/users/{id}/avatar.png`. A query is not part of it.
    var path: String
    /// The path in the description, if the parameter at its beginning belongs to the base.
    var describedPath: String?
    /// The groups it belongs to; the first one is its folder.
    var tags: [String] = []
    /// A summary in one line.
    var summary: String?
    /// A longer description.
    var documentation: String?
    /// Whether it should not be used any longer.
    var isDeprecated = false
    /// The base URL, if it differs from that of the API.
    var baseURL: String?
    /// Its own security requirements, one of which a request has to fulfill: none if it needs no credential. Nil if
    /// they are those of the API.
    var security: [SecurityRequirement]?
    /// The parameters in path, query and headers; each path parameter stands in the path.
    var parameters: [Parameter] = []
    /// The body; nil if there is none.
    var body: Body?
    /// The multipart form that may be sent instead of the body, if only the form has files.
    var upload: Body?
    /// The responses for all statuses, including errors.
    var responses: [Response] = []
    /// What the source says about retries and pages.
    var behavior = Behavior()
    /// Whether this is the stream of events of an operation that another endpoint returns as JSON.
    var isStream = false
    /// Whether this is the form with files of an operation that another endpoint sends as JSON.
    var isUpload = false
    /// Where it is.
    var place: Place
}

/// A parameter of an endpoint that is not in its body.
struct Parameter {
    /// Where a parameter is sent.
    enum Location: String { case path, query, header }

    /// How a list or an object is written in a query, a form or a header.
    enum Style {
        /// `ids=1&ids=2`, the default; an object's members are parameters of their own.
        case repeated
        /// `ids=1,2`
        case commas
        /// `ids=1%202`
        case spaces
        /// `ids=1%7C2`
        case pipes
        /// `user[name]=a`. The style is meant for objects; a list has indexes in place of the names: `ids[0]=1`.
        case members
        /// A JSON text.
        case json
    }

    /// How a value is written in a path (RFC 6570).
    struct PathStyle {
        /// What stands before the value.
        enum Notation {
            /// Nothing: `1,2`.
            case simple
            /// A dot: `.1,2`.
            case label
            /// A semicolon and the name: `;ids=1,2`.
            case matrix
        }

        var notation = Notation.simple
        /// Whether the elements of a list, or the members of an object, are written one by one, as in `.1.2` and
        /// `R=100,G=200`.
        var isExploded = false
    }

    /// The name as it is sent.
    var name: String
    /// Where it is sent.
    var location: Location
    /// Whether a request without it is refused.
    var isRequired: Bool
    /// Its values.
    var schema: Schema
    /// How lists and objects are written, unless the parameter is in the path.
    var style = Style.repeated
    /// In a path: how the value is written.
    var pathStyle = PathStyle()
    /// In a path: whether its value may hold slashes.
    var keepsSlashes = false
    /// The default value of the property, which is sent unless the caller sets another one.
    var initialValue: Node?
    /// Of a number: whether the first one is 0, as the description says.
    var startsAtZero = false
    /// Of a header: the value that it has in every request, since the description names no other one.
    var onlyValue: String?
    /// Whether the description's limits on the values allow any UUID.
    var allowsUUID = true
    /// Where it is.
    var place: Place
}

extension Parameter {
    /// Whether this is an idempotency key that a new UUID can be sent for.
    var isIdempotencyKey: Bool {
        guard location == .header, name.lowercased() == "idempotency-key" else {
            return false
        }
        return schema.isString && allowsUUID
    }

    /// Whether the parameter is the number of items on a page.
    var isPageSize: Bool {
        guard case .integer = schema.kind else { return false }
        return hasNameOfPageSize
    }

    /// Whether the parameter has a name such as `per_page`.
    var hasNameOfPageSize: Bool {
        ["limit", "perpage", "pagesize", "maxresults"].contains(Words(name).words.joined())
    }
}

/// The body of a request.
struct Body {
    /// Its type, such as `application/json`.
    var mediaType: String
    /// Its content.
    var schema: Schema
    /// Whether a request without it is refused.
    var isRequired = true
    /// In a form, the styles of members whose lists and objects are not written in the default style.
    var styles: [String: Parameter.Style] = [:]
    /// Where it is.
    var place: Place
}

/// A response of an endpoint.
struct Response {
    /// A body of one media type.
    typealias Content = (mediaType: String, schema: Schema)

    /// The statuses of the response; nil for the `default` response, which applies to all other statuses.
    var statuses: ClosedRange<Int>?
    /// Its contents; empty if it has no body.
    var contents: [Content] = []
    /// Examples of its contents in JSON, each with the schema that it conforms to.
    var examples: [(schema: Schema, example: Node)] = []
    /// The names of its headers, in lower case.
    var headers: Set<String> = []
    /// Where it is.
    var place: Place
}

extension Response {
    /// Whether its statuses are in a range; false for the `default` response.
    func isFor(_ range: ClosedRange<Int>) -> Bool {
        guard let statuses else { return false }
        return range.contains(statuses.lowerBound)
    }

    /// Whether it is for a range such as 2XX.
    var isForSeveralStatuses: Bool {
        guard let statuses else { return false }
        return statuses.count > 1
    }

    /// The content that is read, JSON if there is any; nil if it has no body.
    ///
    /// Some frameworks describe a file, such as an image, with all media types of a server, JSON among them. The
    /// content is then the file and not the JSON, which is recognized by its schema: bytes, which no value in JSON is,
    /// or a text or an object without described members.
    var content: Content? {
        guard let json else { return contents.first }
        let others = contents.filter { MediaType($0.mediaType) != .json }
        if json.schema.isBytes { return others.first ?? json }
        let image = others.first { $0.mediaType.hasPrefix("image/") }
        let file = others.first { MediaType.isFile($0.mediaType) } ?? image
        let jsonSaysLittle = json.schema.isOpen || json.schema.isString
        if let file, jsonSaysLittle { return file }
        return json
    }

    /// The content in JSON; nil if there is none. If there are several, `application/json` is preferred to types such
    /// as `application/geo+json`.
    var json: Content? {
        let jsonContents = contents.filter { MediaType($0.mediaType) == .json }
        return jsonContents.min { MediaType.rankOfJSON($0.mediaType) < MediaType.rankOfJSON($1.mediaType) }
    }
}
