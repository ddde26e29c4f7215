import APIKitCore
@_spi(Tools) import APIKitRecording
import Foundation
import OpenAPIRules

/// The requests of a recording (HAR 1.2) that an API has answered, without secrets.
///
/// The library reads the file: see `HAREntry` in APIKitRecording.
struct Archive {
    /// A request and its response.
    struct Exchange {
        /// A header, a field of a form, or an item of a query.
        typealias Field = (name: String, value: String)

        /// The text that replaces a file, or a body in an unknown format. Their contents are not kept.
        static let filePlaceholder = "\u{0}file"

        var method: String
        /// The scheme, the host, and the port if it is not that of the scheme.
        var origin: String
        /// The segments of the path, as sent.
        var path: [String]
        var query: [Field]
        /// The headers of the request, with names in lower case.
        var headers: [Field]
        /// The request's body; the fields of a form are the members of an object. Nil if there is none.
        var body: Node?
        /// The type of the request's body in lower case, without parameters; empty if it is unknown.
        var bodyType: String
        var status: Int
        /// The type of the response in lower case, without parameters; empty if it is unknown.
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
    /// The kinds of the credentials that were sent, with a name for each.
    let credentials: [SecurityScheme.Kind: String]

    /// Reads the exchanges with an API from a recording, and masks the secrets in them. Other responses, such as
    /// images, are only counted.
    ///
    /// - Throws: ``DescriptionError`` if the file is not a recording.
    init(_ url: URL) throws {
        let file = url.lastPathComponent
        place = Place(file: file)
        var entriesOfAPI: [HAREntry] = []
        for entry in try Self.entries(of: url) {
            // An entry with another scheme than HTTP, such as that of a WebSocket, is not even counted.
            guard let exchange = Exchange(entry, file: file) else { continue }
            if let kind = exchange.skippedKind {
                skipped[kind, default: 0] += 1
            } else {
                entriesOfAPI.append(entry)
            }
        }
        // A secret that one exchange reveals may appear in any other, so all are collected before the first is masked.
        // Pages and scripts do not count: most of what looks like a secret there is code.
        var secrets = Secrets()
        for entry in entriesOfAPI { secrets.learn(from: entry) }
        for entry in entriesOfAPI {
            guard let exchange = Exchange(secrets.maskingContents(of: entry), file: file) else { continue }
            exchanges.append(secrets.masked(exchange))
        }
        credentials = secrets.credentials
    }

    /// Reads the entries of a HAR file, each of which has a request and its response, in the order in which the
    /// requests were sent.
    ///
    /// - Throws: ``DescriptionError`` if the file cannot be read or is not a HAR file.
    private static func entries(of url: URL) throws -> [HAREntry] {
        let place = Place(file: url.lastPathComponent)
        do {
            return try HARFile(url).entries()
        } catch let error as ContentError {
            throw DescriptionError(error.message, at: place)
        } catch {
            throw DescriptionError("the file cannot be read", at: place)
        }
    }
}

// MARK: - What is not an API's

extension Archive.Exchange {
    /// The kind of a response that does not come from an API, in the plural, such as "images"; nil if it comes from an
    /// API. Responses of an API are JSON, a stream, or empty.
    fileprivate var skippedKind: String? {
        if method == "OPTIONS" { return "preflight requests" }
        // A request without a response has the status 0.
        if status == 0 || 300..<400 ~= status { return "redirects and failures" }
        let isJSON = response != nil
        if isJSON { return isFileOfWebApp ? "files" : nil }
        let isStream = [.events, .jsonLines].contains(MediaType(mediaType))
        if isStream { return nil }
        // Some tools record a media type for 204, although such a response has no content.
        if status == 204 { return nil }
        // A server may answer a change without content.
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
    /// Creates an exchange from an entry of a HAR file. Nil if the scheme of its URL is not HTTP, but that of a
    /// WebSocket, for example.
    fileprivate init?(_ entry: HAREntry, file: String) {
        guard let url = URLComponents(string: entry.url), let origin = Self.origin(of: url) else { return nil }
        let path = url.percentEncodedPath.dropFirst()
        let bodyType = entry.requestType?.essence ?? ""
        let mediaType = entry.responseType?.essence ?? ""
        self.init(
            method: entry.method.uppercased(),
            origin: origin,
            path: path.split(separator: "/", omittingEmptySubsequences: false).map(String.init),
            query: Self.query(of: entry.url),
            headers: entry.requestHeaders.map { header in (header.name.rawValue.lowercased(), header.value) },
            body: Self.body(of: entry, bodyType),
            bodyType: bodyType,
            status: entry.status,
            mediaType: mediaType,
            response: Self.json(entry.body, mediaType),
            responseHeaders: Set(entry.headers.map { header in header.name.rawValue.lowercased() }),
            place: Place(file: file, line: entry.line, path: "/log/entries/\(entry.number - 1)"))
    }

    /// The origin of a URL, which is its scheme, its host, and its port if the URL has one: `https://api.example.com`.
    /// Nil if the scheme is not HTTP.
    private static func origin(of url: URLComponents) -> String? {
        guard let scheme = url.scheme, scheme.hasPrefix("http"), let host = url.encodedHost else { return nil }
        let origin = "\(scheme)://\(host)"
        guard let port = url.port else { return origin }
        return "\(origin):\(port)"
    }

    /// The items in the query of a URL, decoded.
    static func query(of url: String) -> [Field] {
        Endpoint.items(in: URLComponents(string: url)?.percentEncodedQuery ?? "")
    }

    /// Reads the body of a response as JSON; nil if it is something else.
    ///
    /// Some servers label JSON as plain text, so a plain text that begins with a brace or a bracket is read too.
    private static func json(_ data: Data, _ mediaType: String) -> Node? {
        // JSON may begin with white space (RFC 8259, section 2).
        guard let firstSign = data.first(where: { !" \r\n\t".utf8.contains($0) }) else { return nil }
        let isJSON = MediaType(mediaType) == .json
        let isJSONAsText = mediaType == "text/plain" && "{[".utf8.contains(firstSign)
        guard isJSON || isJSONAsText else { return nil }
        return try? JSONParser.parse(Array(data), file: "")
    }

    // MARK: - Bodies of requests

    /// Reads the body of a request; nil if it has none. What it becomes depends on the type of the body:
    ///
    ///     JSON               the JSON value
    ///     a form             an object with the fields as members
    ///     anything else      the text ``filePlaceholder``
    ///
    /// JSON that is invalid or was not recorded becomes the placeholder too.
    private static func body(of entry: HAREntry, _ bodyType: String) -> Node? {
        let data = entry.requestBody ?? Data()
        // Browsers record a form as fields, or only as the text that was sent.
        let recordedFields = entry.requestFields.map { field in
            (field.name, field.isFile ? filePlaceholder : field.value)
        }
        let text = String(decoding: data, as: UTF8.self)
        let isEmpty = data.isEmpty && recordedFields.isEmpty
        if isEmpty, entry.requestType == nil { return nil }
        switch MediaType(bodyType) {
        case .json:
            let json = try? JSONParser.parse(Array(data), file: "")
            return json ?? Node(.text(filePlaceholder))
        case .form:
            return object(recordedFields.isEmpty ? Endpoint.items(in: text) : recordedFields)
        case .multipart:
            return object(recordedFields.isEmpty ? fields(inParts: text) : recordedFields)
        case .events, .jsonLines, .text, .bytes:
            return isEmpty ? nil : Node(.text(filePlaceholder))
        }
    }

    /// Creates an object whose members are the fields of a form. Of several fields with the same name, the first one is
    /// kept.
    private static func object(_ fields: [Field]) -> Node {
        var members: Node.Members = [:]
        for field in fields where members[field.name] == nil { members[field.name] = Node(.text(field.value)) }
        return Node(.object(members))
    }

    /// Finds the fields in the text of a multipart form, each with the first line of its value. The value of a file is
    /// ``filePlaceholder``.
    ///
    /// The text is split at the headers that give the names of the fields, so the boundary between the parts need not
    /// be known. It stands in the line after a value, which is why only the first line is taken.
    private static func fields(inParts text: String) -> [Field] {
        let pieces = text.components(separatedBy: "form-data; name=\"").dropFirst()
        return pieces.map(field)
    }

    /// Reads the field at the beginning of a piece, which begins with the name: `title"`, an empty line, and the value.
    private static func field(atStartOf piece: String) -> Field {
        let name = String(piece.prefix { $0 != "\"" })
        // An empty line separates the headers of a part from its content.
        let sections = piece.components(separatedBy: "\r\n\r\n")
        let headers = sections[0]
        if headers.contains("filename=") { return (name, filePlaceholder) }
        guard sections.count > 1 else { return (name, "") }
        let firstLine = sections[1].components(separatedBy: "\r\n")[0]
        return (name, firstLine)
    }
}
