/// An endpoint of a web API: one struct, paired by type with what comes back.
///
/// ```swift
/// struct UsersRequest: APIRequest {
///     typealias Response = [User]
///     var since: Int?
///     var baseURL: URL { URL(string: "https://api.github.com")! }
///     var path: URLPath { "users" }
///     var parameters: Parameters { ["since": since, "per_page": 100] }
/// }
/// ```
///
/// What an API's endpoints share (the base URL, standard headers, the failure type) is written once, in a protocol that
/// refines this one. In a module isolated to the main actor, that protocol and its extension say `nonisolated`.
///
/// - Important: A property of another type than here, such as `method: String` or `headers: [String: String]`, compiles
///   and is ignored: it is a property of its own, and the default applies.
public protocol APIRequest<Response>: TypedRequest {
    /// How the body of a refused status is read; `Data` unless the endpoint says otherwise.
    associatedtype Failure: APIResponse = Data

    /// The root of the API: an absolute http or https URL. Its path and query are kept.
    var baseURL: URL { get }
    /// The endpoint's path, appended to the base URL's.
    var path: URLPath { get }
    /// The method; GET unless the endpoint says otherwise.
    var method: HTTPMethod { get }
    /// The parameters, which go into the query or the body, as the method says; none unless the endpoint has some.
    var parameters: Parameters { get }
    /// The endpoint's own headers; they go before all others.
    var headers: HTTPHeaders { get }

    /// Headers of every request of an API, written once; an endpoint's own go before them.
    var defaultHeaders: HTTPHeaders { get }
    /// Query parameters of every request of an API (its version, a client id), written once; an endpoint's own of the
    /// same name go before them.
    var defaultQuery: Parameters { get }
    /// How the parameters write lists, members, Bools and dates.
    var parameterStyle: ParameterStyle { get }

    /// The query; the ``parameters`` for GET, HEAD, DELETE, OPTIONS and TRACE unless the endpoint says otherwise.
    var query: Parameters { get }
    /// The body; for other methods the ``parameters`` as a form, or multipart once a file is among them.
    var body: RequestBody? { get }
    /// Limits of time and size, and what becomes of redirects.
    var options: RequestOptions { get }
    /// How the body of the response is wanted; as the response type says unless the endpoint says otherwise.
    var delivery: ResponseBody.Delivery { get }
    /// Whether an answer is a success, judged by its status and headers; as the response type says (200 to 299) unless
    /// the endpoint says otherwise.
    func isSuccess(_ head: HTTPResponse.Head) -> Bool
    /// Reads the model from an accepted response; as the response type does unless the endpoint needs its own values
    /// for it. Never runs on the main actor.
    func process(_ response: HTTPResponse) async throws -> Response.Model
}

// MARK: - Default implementations

extension APIRequest {
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var parameters: Parameters { [:] }
    /// None.
    public var headers: HTTPHeaders { [:] }
    /// None.
    public var defaultHeaders: HTTPHeaders { [:] }
    /// None.
    public var defaultQuery: Parameters { [:] }
    /// The usual style.
    public var parameterStyle: ParameterStyle { ParameterStyle() }
    /// The parameters, where the method puts them into the query.
    public var query: Parameters { method.sendsParametersInQuery ? parameters : [:] }

    /// The parameters as a form, or multipart once a file is among them, where the method puts them into the body.
    public var body: RequestBody? {
        guard !method.sendsParametersInQuery else { return nil }
        let parameters = parameters
        guard !parameters.isEmpty else { return nil }
        return parameters.holdsFile
            ? .multipart(MultipartForm(parameters, style: parameterStyle)) : .form(parameters, style: parameterStyle)
    }

    /// The usual options.
    public var options: RequestOptions { RequestOptions() }
    /// As the response type says.
    public var delivery: ResponseBody.Delivery { Response.delivery }

    /// As the response type says.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Response.isSuccess(head)
    }

    /// As the response type does.
    public func process(_ response: HTTPResponse) async throws -> Response.Model {
        try await Response.process(response: response)
    }
}

extension HTTPMethod {
    /// Whether ``APIRequest/parameters`` go into the query with this method; with any other they make the body.
    public var sendsParametersInQuery: Bool {
        switch self {
        case .get, .head, .delete, .options, .trace: true
        default: false
        }
    }
}

// MARK: - On the wire

extension APIRequest {
    /// The request as it goes onto the wire, made without any network: what a test of an endpoint looks at.
    ///
    /// ```swift
    /// let wire = try UsersRequest(since: 46).httpRequest()
    /// #expect(wire.url.absoluteString == "https://api.github.com/users?since=46&per_page=100")
    /// ```
    ///
    /// - Throws: ``RequestError`` when the endpoint's values do not make a request.
    public func httpRequest() throws(RequestError) -> HTTPRequest {
        let method = method
        let baseURL = baseURL
        do throws(RequestError) {
            let url = try RequestURL.make(
                base: baseURL, path: path, query: query.overriding(defaultQuery), style: parameterStyle)
            let body = body
            var request = HTTPRequest(
                method: method, url: url, headers: wireHeaders(body: body), body: body, options: options,
                delivery: delivery, endpoint: self)
            if request.delivery != .data { request.isSuccess = { isSuccess($0) } }
            // Files are measured when the request is sent.
            _ = try request.prepared()
            return request
        } catch {
            // A base URL that is wrong may hold a password where no URL has one.
            throw error.withRequest(method: method, url: error.code == .baseURL ? nil : baseURL)
        }
    }

    /// The endpoint's own headers, then the API's, then what the response type and the body say.
    private func wireHeaders(body: RequestBody?) -> HTTPHeaders {
        var result = headers
        result.addMissing(from: defaultHeaders)
        let accept = acceptHeader
        if !accept.isEmpty, result[.accept] == nil { result.append(accept, for: .accept) }
        if let body { result.addContentType(of: body) }
        return result
    }

    /// What the response type reads and, behind it, what the failure type reads.
    private var acceptHeader: String {
        let types = Response.acceptedTypes
        guard let first = types.first else { return "" }
        let failureTypes = Failure.acceptedTypes
        if types.count == 1, failureTypes.isEmpty || failureTypes == types { return first.rawValue }
        return (types + failureTypes.filter { !types.contains($0) }).map(\.rawValue).joined(separator: ", ")
    }
}
