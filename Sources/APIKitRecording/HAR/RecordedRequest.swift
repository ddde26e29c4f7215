import APIKitCore
import APIKitTesting

/// A request in the form in which it is compared with others: masked, and without what does not matter.
struct RecordedRequest: Sendable {
    private enum Body: Sendable {
        /// It was too large to be recorded, and matches any.
        case unknown
        case json(JSONValue)
        case form([String])
        case bytes(Data)
    }

    let method: String
    /// The URL without its query, in its normal form (RFC 3986, section 6.2).
    let resource: String
    /// The items of the query in alphabetical order, in their normal form.
    private let items: [String]
    private let body: Body

    init(method: String, maskedURL: String, type: MIMEType?, maskedBody: Data?) {
        var reference = URIReference(maskedURL)
        self.method = method
        items = Self.items(reference.query ?? [])
        reference.query = nil
        reference.path = Array(Self.normalized(reference.path, keeping: "/").utf8)[...]
        reference = URIReference("").resolving(reference)
        if reference.path.isEmpty { reference.path = [UInt8(ascii: "/")] }
        let text = reference.text
        let end = text.utf8.count - reference.path.count
        var origin = String(decoding: text.utf8.prefix(end), as: UTF8.self).lowercased()
        for (scheme, port) in [("https:", ":443"), ("http:", ":80")]
        where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
            origin = String(origin.dropLast(port.count))
        }
        resource = origin + String(decoding: text.utf8.suffix(reference.path.count), as: UTF8.self)
        body = Self.body(maskedBody, type)
    }

    private static func items(_ query: some Collection<UInt8>) -> [String] {
        query.split(separator: UInt8(ascii: "&"))
            .map { normalized($0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }) }.sorted()
    }

    private static func normalized(_ bytes: some Collection<UInt8>, keeping signs: String = "") -> String {
        String(decoding: bytes, as: UTF8.self).normalizingPercentEncoding(preserving: signs)
    }

    private static func body(_ data: Data?, _ type: MIMEType?) -> Body {
        guard let data else { return .unknown }
        // With or without a type.
        guard !data.isEmpty else { return .bytes(data) }
        let essence = type?.essence ?? ""
        if essence.contains("json"), let value = JSONValue(data) { return .json(value) }
        if essence == MIMEType.formURLEncoded.essence { return .form(items(Array(data))) }
        // The boundary of a form is another one each time.
        guard let boundary = type?.parameter("boundary"), !boundary.isEmpty else { return .bytes(data) }
        return .bytes(data.replacing(boundary.utf8, with: Data()))
    }

    // MARK: - Comparing

    /// What two requests have in common if one matches the other and neither has masked values.
    var key: String { ([method, resource] + Self.withoutMasked(items)).joined(separator: " ") }

    /// Whether the query has masked values, whose names are not compared.
    var hasMasks: Bool { items.contains(where: Self.isMasked) }

    private static func isMasked(_ item: String) -> Bool { item.hasSuffix("=\(Masking.mask)") }

    private static func withoutMasked(_ items: [String]) -> [String] { items.filter { !isMasked($0) } }

    /// Items without those whose names have masked values on the other side.
    private static func items(_ items: [String], without others: [String]) -> [String] {
        let names = Set(others.filter(isMasked).map { $0.prefix { $0 != "=" } })
        return withoutMasked(items).filter { !names.contains($0.prefix { $0 != "=" }) }
    }

    /// Whether a request is the same as this recorded one. Masks stand for any value, or for a missing query item.
    func matches(_ request: RecordedRequest) -> Bool {
        method == request.method && resource == request.resource
            && Self.items(request.items, without: items) == Self.items(items, without: request.items)
            && matchesBody(of: request)
    }

    private func matchesBody(of request: RecordedRequest) -> Bool {
        switch (body, request.body) {
        case (.unknown, _), (_, .unknown): true
        case (.json(let recorded), .json(let value)): recorded.matches(value)
        case (.form(let recorded), .form(let fields)):
            Self.items(fields, without: recorded) == Self.items(recorded, without: fields)
        case (.bytes(let recorded), .bytes(let data)): recorded == data
        default: false
        }
    }

    // MARK: - Differing

    /// How far a request is from this recorded one, and how the two differ.
    func difference(from request: RecordedRequest) -> (distance: Int, text: String) {
        var (distance, texts) = (0, [String]())
        if method != request.method {
            distance += 3
            texts.append("its method is \(method)")
        }
        if resource != request.resource {
            let parts = [resource, request.resource].map { $0.split(separator: "/", omittingEmptySubsequences: false) }
            let common = zip(parts[0], parts[1]).count { $0 == $1 }
            distance += 2 * (max(parts[0].count, parts[1].count) - common)
            texts.append("its URL is \(resource)")
        }
        let (own, others) = (Self.items(items, without: request.items), Self.items(request.items, without: items))
        let (missing, extra) = (Set(own).subtracting(others), Set(others).subtracting(own))
        if !missing.isEmpty || !extra.isEmpty {
            distance += missing.count + extra.count
            let names = [missing, extra].map { $0.isEmpty ? "nothing" : $0.sorted().joined(separator: "&") }
            texts.append("its query has \(names[0]) instead of \(names[1])")
        }
        if !matchesBody(of: request) {
            distance += 1
            texts.append("its body differs")
        }
        return (distance, texts.joined(separator: ", "))
    }
}
