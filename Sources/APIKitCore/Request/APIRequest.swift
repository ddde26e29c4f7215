/// An endpoint of a web API, which you write as a struct: its path, its parameters, and the type of its response.
///
/// Declare `Response`, ``base`` and ``path``. All other requirements have default values: the method is GET, and there
/// are no parameters, headers or body.
///
/// ```swift
/// struct UsersRequest: APIRequest {
///     typealias Response = [User]
///     var since: Int?
///     var base: APIBase { "https://api.github.com" }
///     var path: URLPath { "users" }
///     var parameters: Parameters { ["since": since, "per_page": 100] }
/// }
/// ```
///
/// Send it with any ``APIClient``:
///
/// ```swift
/// let users = try await URLSession.api.send(UsersRequest(since: 46))
/// ```
///
/// A model that is sent, by POST, PUT or PATCH, is a ``JSONBody``. The endpoint returns it as its ``body``:
///
/// ```swift
/// struct Repository: JSONResponse, JSONBody {
///     var name: String
///     var description: String?
/// }
///
/// struct CreateRepositoryRequest: APIRequest {
///     typealias Response = Repository
///     var repository: Repository
///     var base: APIBase { "https://api.github.com" }
///     var method: HTTPMethod { .post }
///     var path: URLPath { "user/repos" }
///     var body: RequestBody? { .json(repository) }
/// }
/// ```
///
/// A PUT differs in its method and its path:
///
/// ```swift
/// struct Subscription: JSONResponse, JSONBody {
///     var subscribed: Bool
/// }
///
/// struct SubscribeRequest: APIRequest {
///     typealias Response = Subscription
///     var repository: String
///     var subscription: Subscription
///     var base: APIBase { "https://api.github.com" }
///     var method: HTTPMethod { .put }
///     var path: URLPath { "repos/\(segments: repository)/subscription" }
///     var body: RequestBody? { .json(subscription) }
/// }
/// ```
///
/// `Response` is the type that reads the response (<doc:ChoosingAResponse>). `Failure` is the type that reads the body
/// of a rejected response; by default, it is `Data`. Both are declared in `_APIRequest`, for the sake of the compiler's
/// messages: conform to `APIRequest`, and never to `_APIRequest` itself. <doc:DefiningRequests> shows paths, parameters
/// and bodies.
///
/// Declare what an API's endpoints share once: as an ``APIBase``, and in a protocol that refines this one and names the
/// base and the failure type. In a module isolated to the main actor, mark that protocol and its extension
/// `nonisolated`, and so an extension that conforms to this protocol itself.
///
/// - Important: A property with another type than here, such as `method: String` or `headers: [String: String]`,
///   compiles but is ignored: it does not satisfy the requirement, so the default applies. If the conformance is an
///   extension, `nonisolated extension UsersRequest: APIRequest`, the compiler warns: "property 'method' nearly matches
///   defaulted requirement". For stored properties, tests can use `likelyMistakes()` of APIKitTesting.
///
/// ## Topics
///
/// ### What every endpoint declares
///
/// - ``base``
/// - ``path``
///
/// ### What is sent
///
/// - ``method``
/// - ``parameters``
/// - ``headers``
/// - ``query``
/// - ``body``
/// - ``options``
/// - ``httpRequest()``
///
/// ### What is read
///
/// - ``process(_:)``
public protocol APIRequest<Response>: _APIRequest where Response: APIResponse, Failure: APIResponse {
    /// The common settings of the API's endpoints; a literal if only the base URL is common.
    var base: APIBase { get }
    /// The endpoint's path, appended to the base URL's path.
    var path: URLPath { get }
    /// The method; by default GET.
    var method: HTTPMethod { get }
    /// The parameters; by default none. GET, HEAD, DELETE, OPTIONS and TRACE send them in the query, all other methods
    /// in the body.
    var parameters: Parameters { get }
    /// The endpoint's own headers; they override all others.
    var headers: HTTPHeaders { get }

    /// The query; by default the ``parameters`` if the method sends them in the query.
    var query: Parameters { get }
    /// The body; by default the ``parameters`` as a form if the method sends them in the body, multipart if there is a
    /// file among them. A ``FilePart`` that is nil does not count as a file.
    var body: RequestBody? { get }
    /// Limits of time and size, and how redirects are handled. Values that are set here override the options of
    /// ``base``.
    var options: RequestOptions { get }
    /// Reads the model from a successful response; by default the response type does. Never runs on the main actor.
    func process(_ response: HTTPResponse) async throws -> Response.Model
}

// MARK: - Default implementations

extension APIRequest {
    /// GET.
    public var method: HTTPMethod { .get }
    /// None.
    public var parameters: Parameters { Parameters() }
    /// None.
    public var headers: HTTPHeaders { HTTPHeaders() }
    /// The parameters if the method sends them in the query.
    public var query: Parameters { sendsParametersInQuery ? parameters : Parameters() }

    /// The parameters as a form if the method sends them in the body, multipart if there is a file among them.
    public var body: RequestBody? {
        guard !sendsParametersInQuery else { return nil }
        let parameters = parameters
        guard !parameters.isEmpty else { return nil }
        let style = base.parameterStyle
        guard parameters.holdsFile else { return .form(parameters, style: style) }
        return .multipart(MultipartForm(parameters, style: style))
    }

    /// Empty: the options of the API apply.
    public var options: RequestOptions { RequestOptions() }

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
    /// let url = wire.url.absoluteString
    /// #expect(url == "https://api.github.com/users?since=46&per_page=100")
    /// ```
    ///
    /// - Throws: ``RequestError`` if the endpoint's values are not a valid request.
    public func httpRequest() throws(RequestError) -> HTTPRequest {
        try httpRequest(base: base, options: nil)
    }

    /// Creates the request for another base than the endpoint's own, such as the one that a client has for it.
    ///
    /// ```swift
    /// let base = client.base(insteadOf: request.base)
    /// let wire = try request.httpRequest(base: base)
    /// ```
    ///
    /// - Parameter base: The base, whose headers, query and options are added too.
    /// - Returns: The request.
    /// - Throws: ``RequestError`` if the endpoint's values and the base are not a valid request.
    public func httpRequest(base: APIBase) throws(RequestError) -> HTTPRequest {
        try httpRequest(base: base, options: nil)
    }

    /// Creates the request for a base URL, with the options of a call.
    package func httpRequest(base: APIBase, options: RequestOptions?) throws(RequestError) -> HTTPRequest {
        // The endpoint computes these properties each time, so each is read once.
        let method = method
        let path = path
        do throws(RequestError) {
            let url = try url(base: base, path: path)
            let body = body
            let request = HTTPRequest(
                method: method, lazyURL: url, headers: wireHeaders(base: base, body: body), body: body,
                options: wireOptions(base: base, of: options), delivery: Response.delivery,
                pathValues: path.namedValues)
            // This does not access files, which are checked when the request is sent.
            try request.validate()
            return request
        } catch {
            let secrets = path.namedValues.secrets(named: wireOptions(base: base, of: options).secretNames)
            throw error.withEndpoint(
                Self.shownName, method: method, url: Self.urlForErrors(base: base, path: path, code: error.code),
                secrets: SecretForms.spellings(of: secrets))
        }
    }

    /// The name of the endpoint's type for errors; that of the endpoint it stands for, if it is an ``EndpointPart``.
    package static var shownName: String {
        guard let part = Self.self as? any EndpointPart.Type else { return "\(Self.self)" }
        return "\(part.wholeEndpoint)"
    }

    /// Returns the options of a call; missing values are the endpoint's own, then the API's.
    private func wireOptions(base: APIBase, of call: RequestOptions?) -> RequestOptions {
        let own = options.addingMissing(from: base.options)
        return call?.addingMissing(from: own) ?? own
    }

    /// Returns the base URL with the path, if that is valid, for the error of a request that could not be built.
    private static func urlForErrors(base: APIBase, path: URLPath, code: RequestError.Code) -> URL? {
        // An invalid base URL may contain a password in an unexpected place, which masking would not find.
        guard code != .baseURL else { return nil }
        let url = try? RequestURL.make(base: base.parsed, path: path, query: [:], style: base.parameterStyle)
        return url?.url ?? base.url
    }

    /// Returns the endpoint's link, or the base URL with the path and the query.
    package func url(base: APIBase) throws(RequestError) -> LazyURL {
        try url(base: base, path: path)
    }

    /// Returns the endpoint's link, or the base URL with a path and the query.
    private func url(base: APIBase, path: URLPath) throws(RequestError) -> LazyURL {
        let style = base.parameterStyle
        // Testing the type is cheaper than casting the endpoint, which copies it.
        guard Self.self is any LinkedRequest.Type, let link = (self as? any LinkedRequest)?.requestLink else {
            return try RequestURL.make(
                base: base.parsed, path: path, query: query.overriding(base.query), style: style)
        }
        return .parsed(try LinkURL.make(link, base: base.parsed, path: path, query: base.query, style: style))
    }

    /// Whether a response is a success, as the response type says.
    package func isSuccess(_ head: HTTPResponse.Head) -> Bool { Response.isSuccess(head) }

    /// Returns the endpoint's own headers, then the API's defaults, then the headers of the response type and the body.
    private func wireHeaders(base: APIBase, body: RequestBody?) -> HTTPHeaders {
        var result = headers
        result.addMissing(from: base.headers)
        let accept = acceptHeader
        if !accept.isEmpty, result[.accept] == nil { result.append(accept, for: .accept) }
        if let body { result.addContentType(of: body) }
        return result
    }

    /// The types that the response type reads, followed by the types that the failure type reads. A failure that reads
    /// any type, such as `String`, asks for none, so that a server does not prefer text to the model.
    private var acceptHeader: String {
        let types = Response.acceptedTypes
        guard var text = types.first?.rawValue else { return "" }
        for type in types.dropFirst() { text += ", \(type.rawValue)" }
        let typesOfFailure = Failure.acceptedTypes
        let readsAnyFailure = typesOfFailure.contains { $0.rawValue.hasPrefix("*/*") }
        if readsAnyFailure { return text }
        for type in typesOfFailure where !types.contains(type) { text += ", \(type.rawValue)" }
        return text
    }
}

/// The associated types of ``APIRequest``: since they are declared here and constrained there, the compiler's error
/// names the type that does not conform to ``APIResponse`` or, within a list, to ``JSONResponse``.
public protocol _APIRequest<Response>: Sendable {
    /// The type of the response, which reads it.
    associatedtype Response
    /// The type of the body of a rejected response; by default `Data`.
    associatedtype Failure = Data
}

/// A type of the library that sends one of the requests of a user's endpoint, such as a chunk of an upload. Errors name
/// the endpoint, which is the only type that the user knows.
package protocol EndpointPart: APIRequest {
    /// The type of the user's endpoint.
    static var wholeEndpoint: any APIRequest.Type { get }
}

/// An endpoint whose parameters become a JSON body, for methods that send parameters in the body.
///
/// Parameters that are all nil become an empty object, `{}`; a request without parameters has no body. A file among
/// them causes a ``RequestError``.
///
/// This protocol defines only ``APIRequest/body``: the `Accept` header comes from the types of the response and the
/// failure, and the `Content-Type` from the body.
public protocol JSONRequest: APIRequest {}

extension JSONRequest {
    /// The parameters as a JSON object if the method sends them in the body.
    public var body: RequestBody? {
        guard !sendsParametersInQuery else { return nil }
        let parameters = parameters
        // Parameters that are all nil become an empty object.
        let hasParameters = !parameters.isEmpty || parameters.omitsNil
        guard hasParameters else { return nil }
        return .json(parameters, style: base.parameterStyle)
    }
}

/// An endpoint whose parameters become a multipart form, for methods that send parameters in the body, whether there is
/// a file among them or not.
///
/// An ``APIRequest`` sends a multipart form only if its parameters hold a file: without one, a server that takes only
/// multipart forms answers 415. A request without parameters has no body.
///
/// ```swift
/// struct AddPhotoRequest: MultipartRequest {
///     typealias Response = Photo
///     var title: String
///     var photo: FilePart?
///     var base: APIBase { "https://api.example.com" }
///     var path: URLPath { "photos" }
///     var method: HTTPMethod { .post }
///     var parameters: Parameters { ["title": title, "photo": photo] }
/// }
/// ```
public protocol MultipartRequest: APIRequest {}

extension MultipartRequest {
    /// The parameters as a multipart form if the method sends them in the body.
    public var body: RequestBody? {
        guard !sendsParametersInQuery else { return nil }
        let parameters = parameters
        guard !parameters.isEmpty else { return nil }
        return .multipart(MultipartForm(parameters, style: base.parameterStyle))
    }
}
