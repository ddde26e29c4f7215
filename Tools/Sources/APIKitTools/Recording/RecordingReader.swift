import Foundation

/// Reads an API from a recording.
struct RecordingReader {
    /// What a test of an endpoint is written from.
    struct Sample {
        /// The request, whose response is that of the test.
        var exchange: Archive.Exchange
        /// The values in the path, by name.
        var values: [String: String]
    }

    /// The API.
    private(set) var api: API
    /// A sample for each endpoint that has succeeded, by its method and path.
    private(set) var samples: [String: Sample] = [:]
    private var models = RecordedModels()

    static func key(_ endpoint: Endpoint) -> String { "\(endpoint.method) \(endpoint.baseURL ?? "")\(endpoint.path)" }

    init(_ archive: Archive, title: String) throws {
        api = API(title: title)
        let main = Self.mainOrigin(of: archive.exchanges)
        guard let main else { throw DescriptionError("no response in the recording is an API's", at: archive.place) }
        let isOwn = { (origin: String) in Self.site(of: origin) == Self.site(of: main) }
        let routes = Route.all(archive.exchanges.filter { isOwn($0.origin) })
        api.baseURL = main
        api.headers = Self.commonHeaders(of: routes.flatMap(\.exchanges))
        api.credentials = archive.credentials.sorted()
        for route in routes {
            var endpoint = self.endpoint(route)
            if route.origin != main { endpoint.baseURL = route.origin }
            api.endpoints.append(endpoint)
            let success = route.exchanges.filter(\.isSuccess).max {
                ($0.response?.size ?? 0) < ($1.response?.size ?? 0)
            }
            guard let success else { continue }
            let values = zip(route.names, success.path).filter { !$0.0.isEmpty }
            samples[Self.key(endpoint)] = Sample(exchange: success, values: Dictionary(values) { first, _ in first })
        }
        api.models = models.models
        let others = Dictionary(grouping: archive.exchanges.map(\.origin).filter { !isOwn($0) }) { $0 }
        let counts = archive.skipped.merging(others.mapValues(\.count)) { $0 + $1 }
        api.notes += counts.sorted { $0.key < $1.key }.map {
            Note(.skipped, "\($0.value) × \($0.key)", at: archive.place)
        }
    }

    // MARK: - The API

    private static func mainOrigin(of exchanges: [Archive.Exchange]) -> String? {
        let counts = Dictionary(grouping: exchanges, by: \.origin).mapValues(\.count)
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// What the hosts of one API have in common: the last two parts of their names.
    private static func site(of origin: String) -> String {
        let host = origin.drop { $0 != "/" }.drop { $0 == "/" }
        let isNumber = host.allSatisfy { $0.isNumber || ".:".contains($0) }
        return isNumber ? origin : host.split(separator: ".").suffix(2).joined(separator: ".")
    }

    /// Headers that browsers and other programs add, or that are another one each time.
    private static let ordinaryHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "baggage", "cache-control", "connection", "content-length",
        "content-type", "dnt", "expect", "host", "idempotency-key", "if-modified-since", "if-none-match", "keep-alive",
        "newrelic", "origin", "pragma", "priority", "range", "referer", "save-data", "sentry-trace", "te",
        "traceparent", "tracestate", "transfer-encoding", "upgrade-insecure-requests", "user-agent",
        "x-correlation-id", "x-request-id", "x-requested-with",
    ]

    private static func ownHeaders(of exchange: Archive.Exchange) -> [Archive.Exchange.Field] {
        exchange.headers.filter { name, _ in
            !ordinaryHeaders.contains(name)
                && !["sec-", "x-b3-", "x-datadog-", "x-forwarded-"].contains { name.hasPrefix($0) }
        }
    }

    /// The headers that all requests have, with the same value.
    private static func commonHeaders(of exchanges: [Archive.Exchange]) -> [String: String] {
        var common = Dictionary(exchanges.first.map(ownHeaders) ?? []) { first, _ in first }
        for exchange in exchanges {
            let own = Dictionary(ownHeaders(of: exchange)) { first, _ in first }
            common = common.filter { own[$0.key] == $0.value && Self.isPublic($0.value) }
        }
        return common
    }

    /// Whether a value may be written.
    private static func isPublic(_ text: String) -> Bool { !text.contains(Secrets.mask) && !Secrets.isToken(text) }

    // MARK: - Endpoints

    private mutating func endpoint(_ route: Route) -> Endpoint {
        let (path, place) = (route.path, route.exchanges[0].place)
        let id = "\(route.method) \(route.origin)\(path)"
        var endpoint = Endpoint(method: route.method, path: path, place: place)
        for (index, name) in route.names.enumerated() where !name.isEmpty {
            let values = route.exchanges.map { $0.path[index].removingPercentEncoding ?? $0.path[index] }
            let isNumber = values.allSatisfy { Int($0).map(String.init) == $0 }
            let schema = Schema(isNumber ? .integer(isLong: false) : .string, place: place)
            endpoint.parameters.append(
                Parameter(name: name, location: .path, isRequired: true, schema: schema, place: place))
        }
        endpoint.parameters += parameters(.query, route.exchanges.map(\.query), place)
        let headers = route.exchanges.map { Self.ownHeaders(of: $0).filter { api.headers[$0.name] == nil } }
        endpoint.parameters += parameters(.header, headers, place)
        if route.exchanges.contains(where: { $0.headers.contains { $0.name == "idempotency-key" } }) {
            api.notes.append(Note(.skipped, "header Idempotency-Key of \(route.method) \(path)", at: place))
        }
        endpoint.body = body(of: route, id)
        // What is one of a list is named after it; an object around a list is not.
        let last = route.segments.last { $0 != "" } ?? nil
        let noun = Words(route.segments.compactMap(\.self).last { !$0.isEmpty } ?? "")
        let isWrapped = last != nil && noun.words != noun.singular.words
        for (status, exchanges) in Dictionary(grouping: route.exchanges, by: \.status).sorted(by: { $0.key < $1.key }) {
            var response = Response(statuses: status...status, place: exchanges[0].place)
            response.headers = Set(exchanges.flatMap(\.responseHeaders))
            if let type = exchanges.first(where: { $0.response != nil })?.mediaType {
                let isList = exchanges.contains { if case .list? = $0.response?.content { true } else { false } }
                let name = isWrapped && !isList ? nil : noun.singular.words.joined(separator: "_")
                let schema = models.schema(
                    of: exchanges.compactMap(\.response), "\(id) \(status)", name: 200..<300 ~= status ? name : nil,
                    at: place)
                response.contents = [(MediaType(type) == .json ? type : "application/json", schema)]
            } else if let type = exchanges.first?.mediaType, [.events, .jsonLines].contains(MediaType(type)) {
                response.contents = [(type, Schema(.any, place: place))]
            }
            endpoint.responses.append(response)
        }
        return endpoint
    }

    /// The items of queries or headers: what varies is a parameter, what never does has a default.
    private func parameters(
        _ location: Parameter.Location, _ requests: [[Archive.Exchange.Field]], _ place: Place
    ) -> [Parameter] {
        let names = Set(requests.joined().map(\.name)).filter { name in name.contains { $0.isLetter } }
        return names.sorted().map { name in
            let lists = requests.map { request in request.filter { $0.name == name }.map(\.value) }
            let isList = lists.contains { $0.count > 1 }
            let values = lists.flatMap(\.self)
            let kind = Self.kind(of: values)
            let schema = Schema(isList ? .list(Schema(kind, place: place)) : kind, place: place)
            let isAlways = lists.allSatisfy { !$0.isEmpty }
            var parameter = Parameter(
                name: name, location: location, isRequired: isAlways, schema: schema, place: place)
            if isAlways, !isList, let value = values.first, Set(values).count == 1, Self.isPublic(value) {
                parameter.initialValue = Node(
                    kind == .string ? .text(value) : kind == .boolean ? .boolean(value == "true") : .number(value))
            }
            return parameter
        }
    }

    private static func kind(of values: [String]) -> Schema.Kind {
        if values.allSatisfy({ Int($0).map(String.init) == $0 }) { return .integer(isLong: false) }
        if values.allSatisfy({ ["true", "false"].contains($0) }) { return .boolean }
        return .string
    }

    private mutating func body(of route: Route, _ id: String) -> Body? {
        let bodies = route.exchanges.filter { $0.body != nil }
        guard let first = bodies.first else { return nil }
        let schema = models.schema(of: bodies.compactMap(\.body), "\(id) body", at: first.place)
        return Body(
            mediaType: MediaType(first.bodyType) == .json ? "application/json" : first.bodyType, schema: schema,
            isRequired: bodies.count == route.exchanges.count, place: first.place)
    }
}

extension Node {
    /// How many values there are in it.
    var size: Int {
        switch content {
        case .list(let nodes): nodes.reduce(1) { $0 + $1.size }
        case .object(let members): members.values.reduce(1) { $0 + $1.size }
        default: 1
        }
    }
}
