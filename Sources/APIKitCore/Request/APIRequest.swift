/// An endpoint of a web API: a struct with the type of its response.
///
/// ```swift
/// struct UsersRequest { var since: Int? }
///
/// nonisolated extension UsersRequest: APIRequest {
///     typealias Response = [User]
///     var baseURL: URL { URL(string: "https://api.github.com")! }
///     var path: URLPath { "users" }
///     var parameters: Parameters { ["since": since, "per_page": 100] }
/// }
/// ```
///
/// Declare what an API's endpoints share (the base URL, default headers, the failure type) once, in a protocol that
/// refines this one. In a module isolated to the main actor, mark that protocol and its extension `nonisolated`, and so
/// an extension that conforms to this protocol itself.
///
/// - Important: A property with another type than here, such as `method: String` or `headers: [String: String]`,
///   compiles but is ignored: it does not satisfy the requirement, so the default applies. If the conformance is declared
///   in an extension, as above, the compiler warns: "property 'method' nearly matches defaulted requirement". For stored
///   properties, tests can use `likelyMistakes()` of APIKitTesting.
public protocol APIRequest<Response>: TypedRequest where Response: APIResponse, Failure: APIResponse {
    /// The root of the API: an absolute http or https URL. Its path and query are kept.
    var baseURL: URL { get }
    /// The endpoint's path, appended to that of the base URL.
    var path: URLPath { get }
    /// The method; by default GET.
    var method: HTTPMethod { get }
    /// The parameters; by default none. GET, HEAD, DELETE, OPTIONS and TRACE send them in the query, all other methods
    /// in the body.
    var parameters: Parameters { get }
    /// The endpoint's own headers; they override all others.
    var headers: HTTPHeaders { get }

    /// Headers of every request of an API; an endpoint's own override them.
    var defaultHeaders: HTTPHeaders { get }
    /// Query parameters of every request of an API, such as its version or a client id; an endpoint's own of the same
    /// name override them.
    var defaultQuery: Parameters { get }
    /// How lists, members, Bools and dates are written in the parameters.
    var parameterStyle: ParameterStyle { get }

    /// The query; by default the ``parameters`` if the method sends them in the query.
    var query: Parameters { get }
    /// The body; by default the ``parameters`` as a form if the method sends them in the body, multipart if there is a
    /// file among them.
    var body: RequestBody? { get }
    /// Limits of time and size, and the redirect policy.
    var options: RequestOptions { get }
    /// How the body of the response is delivered; by default the response type's value.
    var delivery: ResponseBody.Delivery { get }
    /// Whether a response is a success, by its status and headers; by default the response type decides, usually 200 to
    /// 299.
    func isSuccess(_ head: HTTPResponse.Head) -> Bool
    /// Reads the model from a successful response; by default the response type does. Never runs on the main actor.
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
    /// The default style.
    public var parameterStyle: ParameterStyle { ParameterStyle() }
    /// The parameters if the method sends them in the query.
    public var query: Parameters { sendsParametersInQuery ? parameters : [:] }

    /// The parameters as a form if the method sends them in the body, multipart if there is a file among them.
    public var body: RequestBody? {
        guard !sendsParametersInQuery else { return nil }
        let parameters = parameters
        guard !parameters.isEmpty else { return nil }
        return parameters.holdsFile
            ? .multipart(MultipartForm(parameters, style: parameterStyle)) : .form(parameters, style: parameterStyle)
    }

    /// The default options.
    public var options: RequestOptions { RequestOptions() }
    /// The response type's delivery.
    public var delivery: ResponseBody.Delivery { Response.delivery }

    /// Whether the response type considers it a success.
    public func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Response.isSuccess(head)
    }

    /// Reads the model as the response type does.
    public func process(_ response: HTTPResponse) async throws -> Response.Model {
        try await Response.process(response: response)
    }

    /// Whether the parameters go into the query; with any other method they become the body.
    var sendsParametersInQuery: Bool {
        switch method {
        case .get, .head, .delete, .options, .trace: true
        default: false
        }
    }
}

// MARK: - On the wire

extension APIRequest {
    /// Creates the request as it is sent, without any network; tests of an endpoint check it.
    ///
    /// ```swift
    /// let wire = try UsersRequest(since: 46).httpRequest()
    /// #expect(wire.url.absoluteString == "https://api.github.com/users?since=46&per_page=100")
    /// ```
    ///
    /// - Throws: ``RequestError`` if the endpoint's values are not a valid request.
    public func httpRequest() throws(RequestError) -> HTTPRequest {
        let method = method
        let baseURL = baseURL
        do throws(RequestError) {
            let url = try url(base: baseURL)
            let body = body
            var request = HTTPRequest(
                method: method, url: url, headers: wireHeaders(body: body), body: body, options: options,
                delivery: delivery, endpoint: self)
            if request.delivery != .data { request.isSuccess = { isSuccess($0) } }
            // Files are measured when the request is sent.
            _ = try request.prepared()
            return request
        } catch {
            // An invalid base URL may hold a password in an unexpected place.
            throw error.withRequest(method: method, url: error.code == .baseURL ? nil : baseURL)
        }
    }

    /// The link of a page, or the base URL with the path and the query.
    package func url(base: URL) throws(RequestError) -> URL {
        let style = parameterStyle
        guard let link = (self as? any PagedRequest)?.pageLink else {
            return try RequestURL.make(
                base: base, path: path, query: query.overriding(defaultQuery), style: style)
        }
        return try LinkURL.make(link, base: base, path: path, query: defaultQuery, style: style)
    }

    /// The endpoint's own headers, then the API's defaults, then those of the response type and the body.
    private func wireHeaders(body: RequestBody?) -> HTTPHeaders {
        var result = headers
        result.addMissing(from: defaultHeaders)
        let accept = acceptHeader
        if !accept.isEmpty, result[.accept] == nil { result.append(accept, for: .accept) }
        if let body { result.addContentType(of: body) }
        return result
    }

    /// The types that the response type reads, followed by those of the failure type.
    private var acceptHeader: String {
        let types = Response.acceptedTypes
        guard let first = types.first else { return "" }
        let failureTypes = Failure.acceptedTypes
        if types.count == 1, failureTypes.isEmpty || failureTypes == types { return first.rawValue }
        return (types + failureTypes.filter { !types.contains($0) }).map(\.rawValue).joined(separator: ", ")
    }
}
