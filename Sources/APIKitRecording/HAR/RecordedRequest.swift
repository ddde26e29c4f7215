import APIKitCore
import APIKitTesting

/// A request in the form in which it is compared with others: with secrets masked, and in a normal form, so that
/// differences without a meaning, such as the order of query items, do not matter.
struct RecordedRequest: Sendable {
    private let method: String
    /// The URL without its query, in its normal form (RFC 3986, section 6.2).
    private let resource: String
    /// The items of the query in alphabetical order, in their normal form.
    private let items: [String]
    /// The body; nil if it was too large to be recorded, which matches any body.
    private let body: Body?

    /// A body in the form in which it is compared.
    private struct Body: Sendable {
        /// The name of the body in the description of a difference. Only bodies of one kind have the same name.
        let kind: String
        let value: JSONValue
    }

    init(method: String, maskedURL: String, type: MIMEType?, maskedBody: Data?) {
        self.method = method
        let url = URIReference(maskedURL)
        items = Self.items(url.query ?? [])
        resource = Self.resource(of: url)
        body = maskedBody.map { Self.body($0, type) }
    }

    /// A URL without its query, in its normal form.
    private static func resource(of url: URIReference) -> String {
        var url = url
        url.query = nil
        url.path = Array(normalized(url.path, keeping: "/").utf8)[...]
        // Resolving removes dot segments.
        var resolved = URIReference("").resolving(url)
        let path = String(decoding: resolved.path, as: UTF8.self)
        resolved.path = []
        let origin = withoutDefaultPort(resolved.text.lowercased())
        return origin + (path.isEmpty ? "/" : path)
    }

    private static func withoutDefaultPort(_ origin: String) -> String {
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")] where origin.hasPrefix(scheme) {
            return origin.hasSuffix(port) ? String(origin.dropLast(port.count)) : origin
        }
        return origin
    }

    private static func items(_ query: some Collection<UInt8>) -> [String] {
        let items = query.split(separator: UInt8(ascii: "&")).map { item in
            let decoded = item.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return normalized(decoded)
        }
        return items.sorted()
    }

    private static func normalized(_ bytes: some Collection<UInt8>, keeping signs: String = "") -> String {
        String(decoding: bytes, as: UTF8.self).normalizingPercentEncoding(preserving: signs)
    }

    private static func body(_ data: Data, _ type: MIMEType?) -> Body {
        let essence = type?.essence ?? ""
        if essence.contains("json"), let value = JSONValue(data) { return Body(kind: "body", value: value) }
        if essence == MIMEType.formURLEncoded.essence, !data.isEmpty {
            return Body(kind: "body field", value: fields(items(data)))
        }
        var bytes = data
        if let boundary = type?.parameter("boundary"), !boundary.isEmpty {
            // The boundary is removed, since clients choose a new one for each request.
            bytes = data.replacing(boundary.utf8, with: Data())
        }
        let text = String(data: bytes, encoding: .utf8) ?? bytes.base64EncodedString()
        return Body(kind: "body text", value: .string(text))
    }

    private static func fields(_ items: [String]) -> JSONValue {
        .object(
            items.map { item in
                let name = name(of: item)
                let value = item.dropFirst(name.count + 1)
                return (name, .string(String(value)))
            })
    }

    private static func name(of item: String) -> String { String(item.prefix { $0 != "=" }) }

    // MARK: - Comparing

    /// A key by which candidates are found: if neither of two requests has masked values and one matches the other,
    /// they have the same key.
    var key: String {
        let plainItems = items.filter { !Self.isMasked($0) }
        return ([method, resource] + plainItems).joined(separator: " ")
    }

    /// Whether the query has masked values. Items with their names are not compared.
    var hasMasks: Bool { items.contains(where: Self.isMasked) }

    private static func isMasked(_ item: String) -> Bool { item.hasSuffix("=\(Masking.mask)") }

    /// Whether a request matches this recorded one. A masked value matches any value, and a masked query item may be
    /// missing.
    func matches(_ request: RecordedRequest) -> Bool {
        method == request.method && resource == request.resource && changes(to: request).isEmpty
    }

    private func changes(to request: RecordedRequest) -> [RequestDifference.Change] {
        let masked = Set((items + request.items).filter(Self.isMasked).map(Self.name))
        func query(_ items: [String]) -> JSONValue {
            Self.fields(items.filter { !masked.contains(Self.name(of: $0)) })
        }
        var comparison = RequestComparison(masking: nil)
        comparison.compare("method", .literal(method), .literal(request.method))
        comparison.compare("URL", .string(resource), .string(request.resource))
        comparison.compare("query", query(items), query(request.items))
        if resource == request.resource, let body, let other = request.body {
            let isSameKind = body.kind == other.kind
            comparison.compare(body.kind, body.value, isSameKind ? other.value : nil)
        }
        return comparison.changes
    }

    /// How a request differs from this recorded one.
    struct Difference {
        /// The number of differences, by which the nearest entry is found.
        let distance: Int
        let text: String
    }

    func difference(from request: RecordedRequest) -> Difference {
        let changes = changes(to: request)
        var texts = changes.prefix(5).map(\.description)
        if changes.count > 5 { texts.append("…") }
        let distance = changes.count + differingSegments(from: request)
        return Difference(distance: distance, text: texts.joined(separator: ", "))
    }

    /// The number of path segments of the longer URL that the other one does not have at the same position.
    private func differingSegments(from request: RecordedRequest) -> Int {
        let own = resource.split(separator: "/", omittingEmptySubsequences: false)
        let others = request.resource.split(separator: "/", omittingEmptySubsequences: false)
        let common = zip(own, others).count { $0 == $1 }
        return max(own.count, others.count) - common
    }
}
