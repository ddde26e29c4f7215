import APIKitCore
import APIKitTesting

/// A request in the form in which it is compared with others: masked, and without what does not matter.
struct RecordedRequest: Sendable {
    private let method: String
    /// The URL without its query, in its normal form (RFC 3986, section 6.2).
    private let resource: String
    /// The items of the query in alphabetical order, in their normal form.
    private let items: [String]
    /// The body, and what it is called. Nil if it was too large to be recorded; it matches any.
    private let body: (place: String, value: JSONValue)?

    init(method: String, maskedURL: String, type: MIMEType?, maskedBody: Data?) {
        self.method = method
        var reference = URIReference(maskedURL)
        items = Self.items(reference.query ?? [])
        reference.query = nil
        reference.path = Array(Self.normalized(reference.path, keeping: "/").utf8)[...]
        reference = URIReference("").resolving(reference)
        let path = String(decoding: reference.path, as: UTF8.self)
        reference.path = []
        resource = Self.withoutDefaultPort(reference.text.lowercased()) + (path.isEmpty ? "/" : path)
        body = maskedBody.map { Self.value(of: $0, type) }
    }

    private static func withoutDefaultPort(_ origin: String) -> String {
        let port = origin.hasPrefix("https:") ? ":443" : origin.hasPrefix("http:") ? ":80" : ""
        return origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
    }

    private static func items(_ query: some Collection<UInt8>) -> [String] {
        query.split(separator: UInt8(ascii: "&"))
            .map { normalized($0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }) }.sorted()
    }

    private static func normalized(_ bytes: some Collection<UInt8>, keeping signs: String = "") -> String {
        String(decoding: bytes, as: UTF8.self).normalizingPercentEncoding(preserving: signs)
    }

    private static func value(of body: Data, _ type: MIMEType?) -> (place: String, value: JSONValue) {
        let essence = type?.essence ?? ""
        if essence.contains("json"), let value = JSONValue(body) { return ("body", value) }
        if essence == MIMEType.formURLEncoded.essence, !body.isEmpty { return ("body field", fields(items(body))) }
        // The boundary of a form is another one each time.
        let boundary = type?.parameter("boundary") ?? ""
        let bytes = boundary.isEmpty ? body : body.replacing(boundary.utf8, with: Data())
        return ("body text", .string(String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()))
    }

    private static func fields(_ items: [String]) -> JSONValue {
        .object(items.map { (name(of: $0), .string(String($0.dropFirst(name(of: $0).count + 1)))) })
    }

    private static func name(of item: String) -> String { String(item.prefix { $0 != "=" }) }

    // MARK: - Comparing

    /// A key that two requests share if one matches the other and neither has masked values.
    var key: String { ([method, resource] + items.filter { !Self.isMasked($0) }).joined(separator: " ") }

    /// Whether the query has masked values, whose names are not compared.
    var hasMasks: Bool { items.contains(where: Self.isMasked) }

    private static func isMasked(_ item: String) -> Bool { item.hasSuffix("=\(Masking.mask)") }

    /// Whether a request is the same as this recorded one. Masks stand for any value, or for a missing query item.
    func matches(_ request: RecordedRequest) -> Bool {
        method == request.method && resource == request.resource && changes(to: request).isEmpty
    }

    private func changes(to request: RecordedRequest) -> [RequestDifference.Change] {
        let masked = Set((items + request.items).filter(Self.isMasked).map(Self.name))
        let queries = [items, request.items].map { $0.filter { !masked.contains(Self.name(of: $0)) } }
        var comparison = RequestComparison(masking: nil)
        comparison.compare("method", .literal(method), .literal(request.method))
        comparison.compare("URL", .string(resource), .string(request.resource))
        comparison.compare("query", Self.fields(queries[0]), Self.fields(queries[1]))
        if resource == request.resource, let body, let other = request.body {
            comparison.compare(body.place, body.value, body.place == other.place ? other.value : nil)
        }
        return comparison.changes
    }

    /// The distance of a request from this recorded one, and their differences.
    func difference(from request: RecordedRequest) -> (distance: Int, text: String) {
        let changes = changes(to: request)
        let segments = [resource, request.resource].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        let common = zip(segments[0], segments[1]).count { $0 == $1 }
        let distance = changes.count + max(segments[0].count, segments[1].count) - common
        let texts = changes.prefix(5).map(\.description) + (changes.count > 5 ? ["…"] : [])
        return (distance, texts.joined(separator: ", "))
    }
}
