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
        var bodyType: String
        var status: Int
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
        let file = url.lastPathComponent
        place = Place(file: file)
        guard let data = try? Data(contentsOf: url) else {
            throw DescriptionError("the file cannot be read", at: Place(file: file))
        }
        let root = Element(node: try JSONParser.parse(Array(data), file: file), file: file, path: "")
        guard let log = root.child("log"), let entries = try log.list("entries") else {
            throw root.error("this is not a recording: it has no log with entries")
        }
        for entry in entries {
            guard let exchange = Self.exchange(entry) else { continue }
            if let kind = Self.reasonToSkip(exchange) {
                skipped[kind, default: 0] += 1
            } else {
                exchanges.append(exchange)
            }
        }
        var secrets = Secrets()
        for exchange in exchanges { secrets.learn(from: exchange) }
        exchanges = exchanges.map { secrets.masked($0) }
        credentials = secrets.credentials
    }

    /// What a response is that is not an API's; nil if it is one.
    private static func reasonToSkip(_ exchange: Exchange) -> String? {
        let type = exchange.mediaType
        if exchange.method == "OPTIONS" { return "preflight requests" }
        if exchange.status == 0 || 300..<400 ~= exchange.status { return "redirects and failures" }
        if exchange.response != nil {
            let name = exchange.path.last ?? ""
            return name.hasSuffix(".map") || name.contains("manifest") ? "files" : nil
        }
        if [.events, .jsonLines].contains(MediaType(type)) { return nil }
        // A response without content has no type, whatever a recording says.
        if exchange.status == 204 || type.isEmpty && exchange.method != "GET" { return nil }
        for (mark, kind) in [
            ("html", "pages"), ("javascript", "scripts"), ("css", "styles"), ("image/", "images"), ("font", "fonts"),
        ] where type.contains(mark) { return kind }
        return "files"
    }

    // MARK: - Entries

    private static func exchange(_ entry: Element) -> Exchange? {
        guard let request = entry.child("request"), let response = entry.child("response"),
            let method = request.prose("method"), let url = request.prose("url").flatMap({ URLComponents(string: $0) }),
            let scheme = url.scheme, scheme.hasPrefix("http"), let host = url.encodedHost
        else { return nil }
        let headers = fields(request.child("headers")).map { ($0.name.lowercased(), $0.value) }
        let responseHeaders = fields(response.child("headers"))
        let header = responseHeaders.first { $0.name.lowercased() == "content-type" }?.value
        let mediaType = (response.child("content")?.prose("mimeType") ?? header ?? "").lowercased()
        var exchange = Exchange(
            method: method.uppercased(), origin: "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")",
            path: url.percentEncodedPath.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
                .map(String.init),
            query: Endpoint.items(in: url.percentEncodedQuery ?? ""), headers: headers, bodyType: "", status: 0,
            mediaType: mediaType == "x-unknown" ? "" : String(mediaType.prefix { $0 != ";" }),
            responseHeaders: Set(responseHeaders.map { $0.name.lowercased() }), place: entry.place)
        if case .number(let status)? = response.child("status")?.node.content { exchange.status = Int(status) ?? 0 }
        exchange.response = json(response.child("content"), exchange.mediaType)
        if let post = request.child("postData") { read(post, into: &exchange) }
        return exchange
    }

    private static func json(_ content: Element?, _ mediaType: String) -> Node? {
        guard let content, let text = content.prose("text"), MediaType(mediaType) == .json || mediaType == "text/plain"
        else { return nil }
        let isBase64 = content.prose("encoding") == "base64"
        let data = isBase64 ? Data(base64Encoded: text) ?? Data() : Data(text.utf8)
        guard let first = data.first(where: { !" \r\n\t".utf8.contains($0) }),
            mediaType != "text/plain" || "{[".utf8.contains(first)
        else { return nil }
        return try? JSONParser.parse(Array(data), file: "")
    }

    private static func read(_ post: Element, into exchange: inout Exchange) {
        exchange.bodyType = String((post.prose("mimeType") ?? "").lowercased().prefix { $0 != ";" })
        let (text, parts) = (post.prose("text") ?? "", fields(post.child("params")))
        let object = { (fields: [Exchange.Field]) in
            Node(.object(Dictionary(fields.map { ($0.name, Node(.text($0.value))) }) { first, _ in first }))
        }
        switch MediaType(exchange.bodyType) {
        case .json: exchange.body = (try? JSONParser.parse(Array(text.utf8), file: "")) ?? Node(.text(Exchange.file))
        case .form: exchange.body = object(parts.isEmpty ? Endpoint.items(in: text) : parts)
        case .multipart: exchange.body = object(parts.isEmpty ? fields(inParts: text) : parts)
        default: exchange.body = text.isEmpty && parts.isEmpty ? nil : Node(.text(Exchange.file))
        }
    }

    /// The fields of a form with files.
    private static func fields(inParts text: String) -> [Exchange.Field] {
        text.components(separatedBy: "form-data; name=\"").dropFirst().map { part in
            let name = String(part.prefix { $0 != "\"" })
            let pieces = part.components(separatedBy: "\r\n\r\n")
            guard !pieces[0].contains("filename=") else { return (name, Exchange.file) }
            return (name, pieces.dropFirst().first?.components(separatedBy: "\r\n")[0] ?? "")
        }
    }

    private static func fields(_ list: Element?) -> [Exchange.Field] {
        guard case .list(let nodes)? = list?.node.content else { return [] }
        return nodes.compactMap { node in
            guard case .object(let members) = node.content, case .text(let name)? = members["name"]?.content,
                !name.hasPrefix(":")
            else { return nil }
            // A file has a name in place of a value.
            if members["fileName"] != nil { return (name, Exchange.file) }
            guard case .text(let value)? = members["value"]?.content else { return (name, "") }
            return (name, value)
        }
    }
}
