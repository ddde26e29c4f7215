import APIKitCore
import APIKitSupport
import APIKitTesting

/// A request in the form in which it is compared with others: with secrets masked, and in a normal form, so that
/// differences without a meaning, such as the order of query items, do not matter.
struct RecordedRequest: Sendable {
    private let method: String
    /// The URL without its query, in its normal form (RFC 3986, section 6.2).
    private let resource: String
    /// The items of the query in alphabetical order, in their normal form, such as `page=2`.
    private let queryItems: [String]
    /// The body; nil if it was too large to be recorded, which matches any body.
    private let body: Body?

    /// A body in the form in which it is compared.
    private struct Body: Sendable {
        /// The name of the body in the description of a difference. Only bodies of one kind have the same name.
        let kind: String
        let value: JSONValue
    }

    /// Converts a masked request to the form in which it is compared.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - maskedURL: The URL.
    ///   - type: The media type of the body.
    ///   - maskedBody: The body, empty if the request has none; nil if it was too large to be recorded.
    init(method: String, maskedURL: String, type: MIMEType?, maskedBody: Data?) {
        self.method = method
        let url = URIReference(maskedURL)
        queryItems = Self.sortedItems(of: url.query ?? [])
        resource = Self.resource(of: url)
        body = maskedBody.map { Self.body($0, type) }
    }

    // MARK: - Normal forms

    /// A URL without its query, in its normal form: `HTTPS://Api.example:443/a/../%62` becomes `https://api.example/b`.
    private static func resource(of url: URIReference) -> String {
        var normalizedURL = url
        normalizedURL.query = nil
        normalizedURL.path = Array(normalized(url.path, keeping: "/").utf8)[...]
        // Resolving a URL removes the segments `.` and `..`.
        let resolved = URIReference("").resolving(normalizedURL)
        let path = resolved.path.isEmpty ? "/" : String(decoding: resolved.path, as: UTF8.self)
        return textWithoutPath(of: resolved) + path
    }

    /// Returns a URL without its path, in lower case and without the default port: `https://api.example`.
    private static func textWithoutPath(of url: URIReference) -> String {
        var origin = url
        origin.path = []
        // The scheme and the host ignore case, unlike the path.
        return withoutDefaultPort(origin.text.lowercased())
    }

    /// Removes the port if it is that of the scheme: `https://api.example:443` becomes `https://api.example`.
    private static func withoutDefaultPort(_ origin: String) -> String {
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")] where origin.hasPrefix(scheme) {
            return origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
        }
        return origin
    }

    /// The items of a query or a form in alphabetical order, with the same percent-encoding.
    private static func sortedItems(of query: some Collection<UInt8>) -> [String] {
        let items = query.split(separator: UInt8(ascii: "&")).map { item in
            let decoded = item.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return normalized(decoded)
        }
        return items.sorted()
    }

    private static func normalized(_ bytes: some Collection<UInt8>, keeping signs: String = "") -> String {
        String(decoding: bytes, as: UTF8.self).normalizingPercentEncoding(preserving: signs)
    }

    /// Converts a body to the form in which it is compared, so that bodies of the same meaning are equal: JSON becomes
    /// a value, the fields of a form are sorted, and the boundary of a multipart form is removed. Anything else is
    /// compared as it is.
    private static func body(_ data: Data, _ type: MIMEType?) -> Body {
        let essence = type?.essence ?? ""
        if essence.contains("json"), let value = JSONValue(data) { return Body(kind: "body", value: value) }
        if essence == MIMEType.formURLEncoded.essence, !data.isEmpty {
            return Body(kind: "body field", value: object(ofItems: sortedItems(of: data)))
        }
        var bytes = data
        if let boundary = type?.parameter("boundary"), !boundary.isEmpty {
            // Clients choose a new boundary for each request.
            bytes = data.replacing(boundary.utf8, with: Data())
        }
        let text = String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
        return Body(kind: "body text", value: .string(text))
    }

    /// The items of a query or a form as the members of an object.
    private static func object(ofItems items: [String]) -> JSONValue {
        let members = items.map { item in
            let name = name(of: item)
            let value = item.dropFirst(name.count + 1)
            return (name: name, value: JSONValue.string(String(value)))
        }
        return .object(JSONValue.Object(members))
    }

    private static func name(of item: String) -> String { String(item.prefix { $0 != "=" }) }

    // MARK: - Comparing

    /// A key by which candidates are found: if neither of two requests has masked values and one matches the other,
    /// they have the same key.
    var key: String {
        let plainItems = queryItems.filter { !Self.isMasked($0) }
        return ([method, resource] + plainItems).joined(separator: " ")
    }

    /// Whether the query has masked values. Items with their names are not compared.
    var hasMasks: Bool { queryItems.contains(where: Self.isMasked) }

    private static func isMasked(_ item: String) -> Bool { item.hasSuffix("=\(Masking.mask)") }

    /// Whether a request matches this recorded one. A masked value matches any value, and a masked query item may be
    /// missing.
    func matches(_ request: RecordedRequest) -> Bool {
        method == request.method && resource == request.resource && changes(to: request).isEmpty
    }

    /// Lists the differences between this recorded request and another one: in the method, the URL, the query and, if
    /// the URLs are equal, the body. The bodies of requests to different URLs have little in common anyway.
    private func changes(to request: RecordedRequest) -> [RequestDifference.Change] {
        // Both requests are masked already.
        var comparison = RequestComparison(masking: nil)
        comparison.compareTexts("method", method, request.method)
        comparison.compare("URL", .string(resource), .string(request.resource))
        compareQuery(with: request, &comparison)
        if resource == request.resource { compareBody(with: request, &comparison) }
        return comparison.changes
    }

    /// Compares the query items of two requests, and adds the differences to a comparison.
    ///
    /// If an item has a masked value in one of the requests, all items of that name are left out in both: their real
    /// values are unknown.
    private func compareQuery(with request: RecordedRequest, _ comparison: inout RequestComparison) {
        let maskedItems = (queryItems + request.queryItems).filter(Self.isMasked)
        let maskedNames = Set(maskedItems.map(Self.name))
        let items = queryItems.filter { !maskedNames.contains(Self.name(of: $0)) }
        let otherItems = request.queryItems.filter { !maskedNames.contains(Self.name(of: $0)) }
        comparison.compare("query", Self.object(ofItems: items), Self.object(ofItems: otherItems))
    }

    /// Compares the bodies of two requests, and adds the differences to a comparison. A body that was too large to be
    /// recorded equals any body.
    private func compareBody(with request: RecordedRequest, _ comparison: inout RequestComparison) {
        guard let body, let otherBody = request.body else { return }
        if body.kind == otherBody.kind {
            comparison.compare(body.kind, body.value, otherBody.value)
        } else {
            // The contents of a form and a text, for example, cannot be compared. The message says that the other
            // request does not have the recorded form.
            comparison.compare(body.kind, body.value, nil)
        }
    }

    /// How a request differs from this recorded one.
    struct Difference {
        /// The number of differences, by which the nearest entry is found.
        let distance: Int
        /// The first differences.
        let text: String
    }

    /// Describes how a request differs from this recorded one.
    func difference(from request: RecordedRequest) -> Difference {
        let changes = changes(to: request)
        // A few differences are enough to see what is wrong, and keep the message short.
        var texts = changes.prefix(5).map(\.description)
        if changes.count > 5 { texts.append("…") }
        let distance = changes.count + differingSegments(from: request)
        return Difference(distance: distance, text: texts.joined(separator: ", "))
    }

    /// The number of path segments of the longer URL that the other one does not have at the same position.
    private func differingSegments(from request: RecordedRequest) -> Int {
        let segments = resource.split(separator: "/", omittingEmptySubsequences: false)
        let otherSegments = request.resource.split(separator: "/", omittingEmptySubsequences: false)
        let equalCount = zip(segments, otherSegments).count { $0 == $1 }
        return max(segments.count, otherSegments.count) - equalCount
    }
}
