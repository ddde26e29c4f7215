import Foundation

/// The requests of a recording (HAR 1.2) that an API has answered, without secrets.
///
/// The file is read leniently, since many tools leave out members that the format requires.
struct Archive {
    /// A request and its response.
    struct Exchange {
        /// The fields of a form, or the items of a query.
        typealias Field = (name: String, value: String)

        /// The text that replaces a file, or a body in an unknown format. Their contents are not kept.
        static let filePlaceholder = "\u{0}file"

        var method: String
        /// The scheme and the host.
        var origin: String
        /// The segments of the path, as sent.
        var path: [String]
        var query: [Field]
        /// The headers, with names in lower case.
        var headers: [Field]
        /// The request's body; the fields of a form are the members of an object. Nil if there is none.
        var body: Node?
        var bodyType = ""
        var status = 0
        var mediaType: String
        /// The response's body; nil if it is not JSON.
        var response: Node?
        /// The names of the response's headers, in lower case.
        var responseHeaders: Set<String>
        var place: Place

        var isSuccess: Bool { 200..<300 ~= status }
    }

    /// The file.
    let place: Place
    /// The exchanges with an API, without those for files of a web page.
    private(set) var exchanges: [Exchange] = []
    /// The numbers of the other responses, by kind.
    private(set) var skipped: [String: Int] = [:]
    /// Phrases for the credentials that were sent.
    private(set) var credentials: Set<String> = []

    /// Reads a recording.
    ///
    /// - Throws: ``DescriptionError`` if the file is not a recording.
    init(_ url: URL) throws {
        place = Place(file: url.lastPathComponent)
        for entry in try Self.entries(of: url) {
            guard let exchange = Exchange(entry) else { continue }
            if let kind = exchange.kindIfNotOfAPI {
                skipped[kind, default: 0] += 1
            } else {
                exchanges.append(exchange)
            }
        }
        removeSecrets()
    }

    private static func entries(of url: URL) throws -> [Element] {
        let file = url.lastPathComponent
        guard let data = try? Data(contentsOf: url) else {
            throw DescriptionError("the file cannot be read", at: Place(file: file))
        }
        let root = Element(node: try JSONParser.parse(Array(data), file: file), file: file, path: "")
        guard let log = root.child("log"), let entries = try log.list("entries") else {
            throw root.error("this is not a recording: it has no log with entries")
        }
        return entries
    }

    /// Masks secrets. A secret that one exchange reveals may appear in any other, so all are collected first.
    private mutating func removeSecrets() {
        var secrets = Secrets()
        for exchange in exchanges { secrets.learn(from: exchange) }
        exchanges = exchanges.map { secrets.masked($0) }
        credentials = secrets.credentials
    }
}

// MARK: - What is not an API's

extension Archive.Exchange {
    /// The kind of a response that does not come from an API, in the plural; nil if it does.
    fileprivate var kindIfNotOfAPI: String? {
        if method == "OPTIONS" { return "preflight requests" }
        if status == 0 || 300..<400 ~= status { return "redirects and failures" }
        if response != nil { return isFileOfWebApp ? "files" : nil }
        if [.events, .jsonLines].contains(MediaType(mediaType)) { return nil }
        // Some tools record a media type for 204, although such a response has no content.
        if status == 204 { return nil }
        if mediaType.isEmpty, method != "GET" { return nil }
        return kindOfFile
    }

    /// Whether the path is that of a JSON file which a web app loads with its scripts.
    private var isFileOfWebApp: Bool {
        let name = path.last ?? ""
        return name.hasSuffix(".map") || name.contains("manifest")
    }

    private static let kindsOfFiles = [
        (mark: "html", kind: "pages"), (mark: "javascript", kind: "scripts"), (mark: "css", kind: "styles"),
        (mark: "image/", kind: "images"), (mark: "font", kind: "fonts"),
    ]

    private var kindOfFile: String {
        let known = Self.kindsOfFiles.first { mediaType.contains($0.mark) }
        return known?.kind ?? "files"
    }
}

// MARK: - Entries

extension Archive.Exchange {
    /// Reads an entry; nil if it is not a request over HTTP, or has no response.
    fileprivate init?(_ entry: Element) {
        guard let request = entry.child("request"), let response = entry.child("response") else { return nil }
        guard let method = request.prose("method"), let text = request.prose("url"),
            let url = URLComponents(string: text), let origin = Self.origin(of: url)
        else { return nil }
        let responseHeaders = Self.headers(of: response)
        self.init(
            method: method.uppercased(),
            origin: origin,
            path: Self.segments(of: url),
            query: Endpoint.items(in: url.percentEncodedQuery ?? ""),
            headers: Self.headers(of: request),
            mediaType: Self.mediaType(of: response, responseHeaders),
            responseHeaders: Set(responseHeaders.map(\.name)),
            place: entry.place)
        if case .number(let status)? = response.child("status")?.node.content { self.status = Int(status) ?? 0 }
        self.response = Self.json(response.child("content"), mediaType)
        if let post = request.child("postData") { readBody(post) }
    }

    /// The headers of a request or a response, with names in lower case.
    private static func headers(of message: Element) -> [Field] {
        fields(message.child("headers")).map { field in (field.name.lowercased(), field.value) }
    }

    /// The scheme, the host and the port; nil if the scheme is not HTTP.
    private static func origin(of url: URLComponents) -> String? {
        guard let scheme = url.scheme, scheme.hasPrefix("http"), let host = url.encodedHost else { return nil }
        let origin = "\(scheme)://\(host)"
        guard let port = url.port else { return origin }
        return "\(origin):\(port)"
    }

    private static func segments(of url: URLComponents) -> [String] {
        let path = url.percentEncodedPath.dropFirst()
        return path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// The type of a response in lower case, without parameters; empty if it is unknown.
    private static func mediaType(of response: Element, _ headers: [Field]) -> String {
        let header = headers.first { $0.name == "content-type" }?.value
        let type = (response.child("content")?.prose("mimeType") ?? header ?? "").lowercased()
        return type == "x-unknown" ? "" : String(type.prefix { $0 != ";" })
    }

    /// The JSON of a response; nil if the content is something else. Some servers label JSON as plain text.
    private static func json(_ content: Element?, _ mediaType: String) -> Node? {
        guard let content, let text = content.prose("text") else { return nil }
        let data: Data
        if content.prose("encoding") == "base64" {
            data = Data(base64Encoded: text) ?? Data()
        } else {
            data = Data(text.utf8)
        }
        guard let first = data.first(where: { !" \r\n\t".utf8.contains($0) }) else { return nil }
        let isJSON = MediaType(mediaType) == .json
        let isJSONAsText = mediaType == "text/plain" && "{[".utf8.contains(first)
        guard isJSON || isJSONAsText else { return nil }
        return try? JSONParser.parse(Array(data), file: "")
    }

    // MARK: - Bodies

    private mutating func readBody(_ post: Element) {
        let type = (post.prose("mimeType") ?? "").lowercased()
        bodyType = String(type.prefix { $0 != ";" })
        let text = post.prose("text") ?? ""
        let parameters = Self.fields(post.child("params"))
        switch MediaType(bodyType) {
        case .json:
            let json = try? JSONParser.parse(Array(text.utf8), file: "")
            body = json ?? Node(.text(Self.filePlaceholder))
        case .form:
            body = Self.object(parameters.isEmpty ? Endpoint.items(in: text) : parameters)
        case .multipart:
            body = Self.object(parameters.isEmpty ? Self.fields(inParts: text) : parameters)
        case .events, .jsonLines, .text, .bytes:
            let isEmpty = text.isEmpty && parameters.isEmpty
            body = isEmpty ? nil : Node(.text(Self.filePlaceholder))
        }
    }

    /// Fields as the members of an object. Among several with the same name, the first one is kept.
    private static func object(_ fields: [Field]) -> Node {
        let members = fields.map { field in (field.name, Node(.text(field.value))) }
        return Node(.object(Dictionary(members) { first, _ in first }))
    }

    /// The fields of a multipart form.
    ///
    /// The text is split at the headers that give the names of the fields, so that the boundary need not be known.
    private static func fields(inParts text: String) -> [Field] {
        let partsFromName = text.components(separatedBy: "form-data; name=\"").dropFirst()
        return partsFromName.map { part in
            let name = String(part.prefix { $0 != "\"" })
            // An empty line separates the headers of a part from its content.
            let sections = part.components(separatedBy: "\r\n\r\n")
            let headers = sections[0]
            if headers.contains("filename=") { return (name, filePlaceholder) }
            guard sections.count > 1 else { return (name, "") }
            let firstLine = sections[1].components(separatedBy: "\r\n")[0]
            return (name, firstLine)
        }
    }

    /// The names and values in a list of a recording, without pseudo-headers such as `:path`.
    private static func fields(_ list: Element?) -> [Field] {
        guard case .list(let nodes)? = list?.node.content else { return [] }
        return nodes.compactMap(field)
    }

    private static func field(_ node: Node) -> Field? {
        guard case .object(let members) = node.content, case .text(let name)? = members["name"]?.content else {
            return nil
        }
        if name.hasPrefix(":") { return nil }
        if members["fileName"] != nil { return (name, filePlaceholder) }
        guard case .text(let value)? = members["value"]?.content else { return (name, "") }
        return (name, value)
    }
}
