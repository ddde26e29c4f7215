import Foundation

/// The requests of a recording (HAR 1.2) that an API has answered, without secrets. It is read leniently: tools leave
/// out members that the format requires.
struct Archive {
    /// A request and its response.
    struct Exchange {
        /// The fields of a form, or the items of a query.
        typealias Field = (name: String, value: String)

        /// The text in place of a file or another body that is not JSON: its contents stay out.
        static let file = "\u{0}file"

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
    /// What an API has answered.
    private(set) var exchanges: [Exchange] = []
    /// How many other responses there are of each kind.
    private(set) var skipped: [String: Int] = [:]
    /// The names of the credentials that were sent.
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

    /// Masks the secrets of each exchange in all of them.
    private mutating func removeSecrets() {
        var secrets = Secrets()
        for exchange in exchanges { secrets.learn(from: exchange) }
        exchanges = exchanges.map { secrets.masked($0) }
        credentials = secrets.credentials
    }
}

// MARK: - What is not an API's

extension Archive.Exchange {
    /// What the response is, in the plural, if it is not an API's; nil if it is one.
    fileprivate var kindIfNotOfAPI: String? {
        if method == "OPTIONS" { return "preflight requests" }
        if status == 0 || 300..<400 ~= status { return "redirects and failures" }
        if response != nil { return isFileOfWebApp ? "files" : nil }
        if [.events, .jsonLines].contains(MediaType(mediaType)) { return nil }
        // A response without content has no type, whatever a recording says.
        if status == 204 { return nil }
        if mediaType.isEmpty, method != "GET" { return nil }
        return kindOfFile
    }

    /// Whether the path is that of JSON which a web app loads with its scripts.
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
    /// Reads an entry; nil if it is no request over HTTP, or has no response.
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

    /// The scheme, the host and the port; nil if that is not HTTP.
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

    /// The content of a response; nil if it is not JSON, which some servers send as plain text.
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
            body = json ?? Node(.text(Self.file))
        case .form:
            body = Self.object(parameters.isEmpty ? Endpoint.items(in: text) : parameters)
        case .multipart:
            body = Self.object(parameters.isEmpty ? Self.fields(inParts: text) : parameters)
        case .events, .jsonLines, .text, .bytes:
            let isEmpty = text.isEmpty && parameters.isEmpty
            body = isEmpty ? nil : Node(.text(Self.file))
        }
    }

    /// Fields as the members of an object. Of several with one name, it has the first.
    private static func object(_ fields: [Field]) -> Node {
        let members = fields.map { field in (field.name, Node(.text(field.value))) }
        return Node(.object(Dictionary(members) { first, _ in first }))
    }

    /// The fields of a form with files.
    private static func fields(inParts text: String) -> [Field] {
        text.components(separatedBy: "form-data; name=\"").dropFirst().map { part in
            let name = String(part.prefix { $0 != "\"" })
            let pieces = part.components(separatedBy: "\r\n\r\n")
            if pieces[0].contains("filename=") { return (name, file) }
            guard pieces.count > 1 else { return (name, "") }
            return (name, pieces[1].components(separatedBy: "\r\n")[0])
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
        // A file has a name in place of a value.
        if members["fileName"] != nil { return (name, file) }
        guard case .text(let value)? = members["value"]?.content else { return (name, "") }
        return (name, value)
    }
}
