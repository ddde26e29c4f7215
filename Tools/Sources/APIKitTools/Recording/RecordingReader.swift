import Foundation
import OpenAPIRules

/// Reads an API from a recording.
struct RecordingReader {
    /// The recorded values that a test of an endpoint is generated from.
    struct Sample {
        /// The exchange whose path and response the tests check.
        var exchange: Archive.Exchange
        /// The values in the path, by name.
        var values: [String: String]
    }

    /// The API.
    private(set) var api: API
    /// A sample for each endpoint that has succeeded, by its method and path.
    private(set) var samples: [String: Sample] = [:]
    private var models = RecordedModels()

    /// The key of an endpoint in ``samples``: `GET https://api.example/users/{id}`.
    static func key(_ endpoint: Endpoint) -> String {
        "\(endpoint.method) \(endpoint.baseURL ?? "")\(endpoint.path)"
    }

    /// Reads the API of the site that was asked most often. A site is a domain such as `example.com`: it has a main
    /// origin, such as `https://api.example.com`, and may have others, such as `https://media.example.com`.
    ///
    /// - Throws: ``DescriptionError`` if the recording has no response from an API.
    init(_ archive: Archive, title: String) throws {
        api = API(title: title)
        api.isRecorded = true
        guard let mainOrigin = Self.mainOrigin(of: archive.exchanges) else {
            throw DescriptionError("no response in the recording is an API's", at: archive.place)
        }
        let site = Self.site(of: mainOrigin)
        let routes = Route.all(archive.exchanges.filter { Self.site(of: $0.origin) == site })
        api.baseURL = mainOrigin
        api.headers = Self.commonHeaders(of: routes.flatMap(\.exchanges))
        api.securitySchemes = archive.credentials.map { kind, name in
            SecurityScheme(name: name, kind: kind, place: archive.place)
        }
        api.securitySchemes.sort { ($0.kind.order, $0.name) < ($1.kind.order, $1.name) }
        for route in routes { addEndpoint(of: route, mainOrigin: mainOrigin) }
        api.models = models.models
        noteWhatIsSkipped(in: archive, site: site)
    }

    /// Adds the endpoint of a route, and its largest successful exchange as the sample for a test.
    private mutating func addEndpoint(of route: Route, mainOrigin: String) {
        var endpoint = readEndpoint(of: route)
        if route.origin != mainOrigin { endpoint.baseURL = route.origin }
        api.endpoints.append(endpoint)
        noteIdempotencyKey(of: route)
        guard let exchange = Self.largestSuccess(of: route) else { return }
        var values: [String: String] = [:]
        for (name, segment) in zip(route.valueNames, exchange.path) {
            if let name { values[name] = segment }
        }
        samples[Self.key(endpoint)] = Sample(exchange: exchange, values: values)
    }

    /// The successful exchange with the most values in its response. It makes the most thorough test.
    private static func largestSuccess(of route: Route) -> Archive.Exchange? {
        let successes = route.exchanges.filter(\.isSuccess)
        return successes.max { ($0.response?.size ?? 0) < ($1.response?.size ?? 0) }
    }

    /// Adds notes with the numbers of responses that are not from an API, or are from other sites.
    private mutating func noteWhatIsSkipped(in archive: Archive, site: String) {
        // The keys are what is written after the number: a kind such as "images", or the origin of another site.
        var counts = archive.skipped
        for exchange in archive.exchanges where Self.site(of: exchange.origin) != site {
            counts[exchange.origin, default: 0] += 1
        }
        for (kindOrOrigin, count) in counts.sorted(by: { $0.key < $1.key }) {
            api.notes.append(Note(.skipped, "\(count) × \(exact: kindOrOrigin)", at: archive.place))
        }
    }

    // MARK: - The API

    /// The origin with the most exchanges. Among several with the same number, it is the first in alphabetical order.
    private static func mainOrigin(of exchanges: [Archive.Exchange]) -> String? {
        var counts: [String: Int] = [:]
        for exchange in exchanges { counts[exchange.origin, default: 0] += 1 }
        guard let most = counts.values.max() else { return nil }
        return counts.filter { $0.value == most }.keys.min()
    }

    /// The site of an origin, which all hosts of an API share: the last two parts of the host's name, so all hosts
    /// below `co.uk` count as one site. An IP address is a site of its own.
    private static func site(of origin: String) -> String {
        let host = origin.drop { $0 != "/" }.drop { $0 == "/" }
        let isAddress = host.allSatisfy { $0.isNumber || ".:".contains($0) }
        if isAddress { return origin }
        return host.split(separator: ".").suffix(2).joined(separator: ".")
    }

    /// Headers that are not part of an API: browsers and other programs add them, or they differ in each request.
    private static let ordinaryHeaders: Set<String> = [
        "accept", "accept-encoding", "accept-language", "baggage", "cache-control", "connection", "content-length",
        "content-type", "dnt", "expect", "host", "idempotency-key", "if-modified-since", "if-none-match", "keep-alive",
        "newrelic", "origin", "pragma", "priority", "range", "referer", "save-data", "sentry-trace", "te",
        "traceparent", "tracestate", "transfer-encoding", "upgrade-insecure-requests", "user-agent",
        "x-correlation-id", "x-request-id", "x-requested-with",
    ]

    private static let ordinaryPrefixes = ["sec-", "x-b3-", "x-datadog-", "x-forwarded-"]

    /// The headers of a request that belong to the API, such as `X-Tenant`, without those that browsers or HTTP add.
    private static func ownHeaders(of exchange: Archive.Exchange) -> [Archive.Exchange.Field] {
        exchange.headers.filter { name, _ in
            let hasOrdinaryPrefix = ordinaryPrefixes.contains { name.hasPrefix($0) }
            return !hasOrdinaryPrefix && !ordinaryHeaders.contains(name)
        }
    }

    /// The headers that all requests send with the same value, without secrets.
    private static func commonHeaders(of exchanges: [Archive.Exchange]) -> [String: String] {
        guard let first = exchanges.first else { return [:] }
        var common = firstValues(of: ownHeaders(of: first)).filter { _, value in isPublic(value) }
        for exchange in exchanges.dropFirst() {
            let own = firstValues(of: ownHeaders(of: exchange))
            common = common.filter { name, value in own[name] == value }
        }
        return common
    }

    /// The fields by name. Among several with the same name, the first one counts.
    private static func firstValues(of fields: [Archive.Exchange.Field]) -> [String: String] {
        Dictionary(fields) { first, _ in first }
    }

    /// Whether a value may appear in the code: it is neither masked nor similar to a token.
    private static func isPublic(_ text: String) -> Bool { !text.contains(Secrets.mask) && !Secrets.isToken(text) }

    // MARK: - Endpoints

    /// Reads an endpoint from the exchanges of a route: its parameters, its body, and a response for each status. The
    /// objects in bodies and responses are added to the models.
    private mutating func readEndpoint(of route: Route) -> Endpoint {
        let place = route.exchanges[0].place
        // The beginning of the identifiers of its models.
        let id = "\(route.method) \(route.origin)\(route.path)"
        var endpoint = Endpoint(method: route.method, path: route.path, place: place)
        let headers = route.exchanges.map { exchange in
            // The API itself sends the headers that all requests have in common.
            Self.ownHeaders(of: exchange).filter { api.headers[$0.name] == nil }
        }
        endpoint.parameters = pathParameters(of: route)
        endpoint.parameters += parameters(in: .query, requests: route.exchanges.map(\.query), at: place)
        endpoint.parameters += parameters(in: .header, requests: headers, at: place)
        endpoint.body = readBody(of: route, id: id)
        let byStatus = Dictionary(grouping: route.exchanges, by: \.status)
        for (status, exchanges) in byStatus.sorted(by: { $0.key < $1.key }) {
            endpoint.responses.append(readResponse(status: status, exchanges, of: route, id: id))
        }
        return endpoint
    }

    /// The parameters for the values in the path of a route: `id` for `/users/{id}`. A parameter is an integer if all
    /// of its recorded values are.
    private func pathParameters(of route: Route) -> [Parameter] {
        let place = route.exchanges[0].place
        var parameters: [Parameter] = []
        for (index, name) in route.valueNames.enumerated() {
            // A word in the path has no name.
            guard let name else { continue }
            let values = route.exchanges.map { $0.path[index].removingPercentEncoding ?? $0.path[index] }
            let kind: Schema.Kind = Self.areIntegers(values) ? .integer(.int) : .string
            let schema = Schema(kind, place: place)
            parameters.append(Parameter(name: name, location: .path, isRequired: true, schema: schema, place: place))
        }
        return parameters
    }

    /// Adds a note if requests of a route have the header `Idempotency-Key`. It does not become a parameter: on
    /// request, the library creates a new key for each call.
    private mutating func noteIdempotencyKey(of route: Route) {
        let hasKey = route.exchanges.contains { exchange in
            exchange.headers.contains { $0.name == "idempotency-key" }
        }
        guard hasKey else { return }
        let text: NoteText = "header Idempotency-Key of \(route.method) \(route.path)"
        api.notes.append(Note(.skipped, text, at: route.exchanges[0].place))
    }

    /// Reads the response with a status from the exchanges that have received it: JSON with a schema of all recorded
    /// values, a stream, or nothing. The objects in the JSON are added to the models.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - exchanges: The exchanges of the route that have received it. There is at least one.
    ///   - route: The route of the endpoint.
    ///   - id: The beginning of the identifiers of the endpoint's models.
    /// - Returns: The response.
    private mutating func readResponse(
        status: Int, _ exchanges: [Archive.Exchange], of route: Route, id: String
    ) -> Response {
        // Notes on the response name its own first exchange. Notes on its values name the one of the endpoint.
        let firstExchange = exchanges[0]
        let placeOfEndpoint = route.exchanges[0].place
        var response = Response(statuses: status...status, place: firstExchange.place)
        response.headers = Set(exchanges.flatMap(\.responseHeaders))
        let exchangesWithJSON = exchanges.filter { $0.response != nil }
        let isStream = [.events, .jsonLines].contains(MediaType(firstExchange.mediaType))
        if let firstWithJSON = exchangesWithJSON.first {
            let values = exchangesWithJSON.compactMap(\.response)
            // The model of a failure is not named after the path: an error of `/users/{id}` is not a user.
            let name = firstExchange.isSuccess ? modelName(of: values, route) : nil
            let schema = models.schema(of: values, id: "\(id) \(status)", name: name, at: placeOfEndpoint)
            // Some servers label JSON as plain text.
            let isLabeledAsJSON = MediaType(firstWithJSON.mediaType) == .json
            response.contents = [(isLabeledAsJSON ? firstWithJSON.mediaType : "application/json", schema)]
        } else if isStream {
            response.contents = [(firstExchange.mediaType, Schema(.any, place: placeOfEndpoint))]
        }
        return response
    }

    /// The name for the model of a route's responses: the last noun of its path in the singular. Nil for an object that
    /// contains a list, since it is not one of the things that the noun names.
    ///
    ///     /users/{id}     an object     user
    ///     /users          a list        user, for the elements
    ///     /users          an object     nil
    private func modelName(of responses: [Node], _ route: Route) -> String? {
        // A path that ends in a slash has an empty word at its end, which does not count.
        let segments = route.segments.filter { $0 != .word("") }
        let endsInWord = segments.last?.word != nil
        let noun = Words(segments.compactMap(\.word).last ?? "")
        let isPlural = noun.words != noun.singular.words
        let isList = responses.contains { node in
            if case .list = node.content { true } else { false }
        }
        let isObjectAroundList = endsInWord && isPlural && !isList
        if isObjectAroundList { return nil }
        return noun.singular.words.joined(separator: "_")
    }

    /// The parameters for the items of queries or headers, one for each name, sorted by name.
    ///
    /// - Parameters:
    ///   - location: Where the items are sent.
    ///   - requests: For each request, its items.
    ///   - place: The location in the recording for notes.
    /// - Returns: The parameters.
    private func parameters(
        in location: Parameter.Location, requests: [[Archive.Exchange.Field]], at place: Place
    ) -> [Parameter] {
        let names = Set(requests.joined().map(\.name))
        // An item whose name has no letter, such as `_=1700000000` has, prevents caching, and is not a parameter.
        let properNames = names.filter { $0.contains(where: \.isLetter) }
        return properNames.sorted().map { name in
            let valuesByRequest = requests.map { items in
                items.filter { $0.name == name }.map(\.value)
            }
            return parameter(name: name, in: location, valuesByRequest: valuesByRequest, at: place)
        }
    }

    /// Infers a parameter from the values that each request has for it. It is a list if a request has several, and
    /// required if all requests have one.
    ///
    /// A value that never differs, even if there is only one request, is the default. A value that may be secret is an
    /// exception, since the default becomes code.
    private func parameter(
        name: String, in location: Parameter.Location, valuesByRequest: [[String]], at place: Place
    ) -> Parameter {
        let values = valuesByRequest.flatMap(\.self)
        let kind = Self.kind(of: values)
        let isList = valuesByRequest.contains { $0.count > 1 }
        let schema = Schema(isList ? .list(Schema(kind, place: place)) : kind, place: place)
        let isAlwaysSent = valuesByRequest.allSatisfy { !$0.isEmpty }
        var parameter = Parameter(
            name: name, location: location, isRequired: isAlwaysSent, schema: schema, place: place)
        let isAlwaysSame = isAlwaysSent && !isList && Set(values).count == 1
        if isAlwaysSame, let value = values.first, Self.isPublic(value) {
            parameter.initialValue = Self.node(value, kind)
        }
        return parameter
    }

    /// A value from a query or a header as JSON of a kind: the number `1` for the text "1" and the kind of integers.
    /// The text has to be a value of that kind, as ``kind(of:)`` makes sure.
    private static func node(_ value: String, _ kind: Schema.Kind) -> Node {
        switch kind {
        case .string: Node(.text(value))
        case .boolean: Node(.boolean(value == "true"))
        default: Node(.number(value))
        }
    }

    /// The kind of values from a query or a header, which are all texts there.
    private static func kind(of values: [String]) -> Schema.Kind {
        if areIntegers(values) { return .integer(.int) }
        if values.allSatisfy({ ["true", "false"].contains($0) }) { return .boolean }
        return .string
    }

    /// Whether all values are integers in the form that Swift writes. With zeros at the beginning, they are more likely
    /// to be codes.
    private static func areIntegers(_ values: [String]) -> Bool {
        values.allSatisfy { value in Int(value).map(String.init) == value }
    }

    /// Reads the body of a route's requests, and adds the objects in it to the models. Nil if no request has a body. It
    /// is required if all requests have one.
    private mutating func readBody(of route: Route, id: String) -> Body? {
        let exchangesWithBody = route.exchanges.filter { $0.body != nil }
        guard let first = exchangesWithBody.first else { return nil }
        let schema = models.schema(of: exchangesWithBody.compactMap(\.body), id: "\(id) body", at: first.place)
        // JSON is sent as such, also if the recorded type is a kind of it such as `application/vnd.api+json`.
        let isJSON = MediaType(first.bodyType) == .json
        let isRequired = exchangesWithBody.count == route.exchanges.count
        return Body(
            mediaType: isJSON ? "application/json" : first.bodyType, schema: schema, isRequired: isRequired,
            place: first.place)
    }
}

extension SecurityScheme.Kind {
    /// The position of the kind among others.
    fileprivate var order: Int {
        switch self {
        case .bearer: 0
        case .basic: 1
        case .header: 2
        case .query: 3
        case .unsupported: 4
        }
    }
}

extension Node {
    /// The number of values in the node, including itself.
    var size: Int {
        switch content {
        case .list(let nodes): nodes.reduce(1) { $0 + $1.size }
        case .object(let members): members.values.reduce(1) { $0 + $1.size }
        default: 1
        }
    }
}
