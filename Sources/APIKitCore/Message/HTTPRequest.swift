/// A request as an engine sends it: built by ``APIRequest/httpRequest()``, passed along by clients, performed by an
/// engine.
///
/// A client changes a copy of the request that it receives. A client that builds a new request instead loses what the
/// request remembers about redirects, and with it the protection of ``validated()``.
///
/// Two requests are equal if their method, URL, headers, body, options and delivery are, and if redirects have led both
/// away from the same origin or neither. The endpoint and the progress closure are not compared.
public struct HTTPRequest: Sendable {
    private var fields: CopiedOnWrite<Fields>

    private struct Fields: Sendable {
        var method: HTTPMethod
        var url: URL
        var headers: HTTPHeaders
        var body: RequestBody?
        var options: RequestOptions
        var delivery: ResponseBody.Delivery
        var progress: (@Sendable (TransferProgress) -> Void)?
        let endpoint: (any Sendable)?
        var isSuccess: (@Sendable (HTTPResponse.Head) -> Bool)?
        var redirection: Redirection?
        var deadline: Deadline?
        var mayResend: ResendApproval?
        var mayReplace: HeadTest?
        var credentialPlaces: Set<CredentialPlace> = []
    }

    /// The method.
    public var method: HTTPMethod {
        get { fields.value.method }
        _modify { yield &fields.value.method }
    }

    /// The absolute URL, encoded as it is sent.
    public var url: URL {
        get { fields.value.url }
        _modify { yield &fields.value.url }
    }

    /// The headers. The engine adds those of the connection, such as `Content-Length`.
    public var headers: HTTPHeaders {
        get { fields.value.headers }
        _modify { yield &fields.value.headers }
    }

    /// The body, if any.
    public var body: RequestBody? {
        get { fields.value.body }
        _modify { yield &fields.value.body }
    }

    /// Limits of time and size, and how redirects are handled.
    public var options: RequestOptions {
        get { fields.value.options }
        _modify { yield &fields.value.options }
    }

    /// How the body of the response is to be delivered.
    public var delivery: ResponseBody.Delivery {
        get { fields.value.delivery }
        _modify { yield &fields.value.delivery }
    }

    /// Called with upload and download progress: often, one call at a time, on no particular thread.
    public var progress: (@Sendable (TransferProgress) -> Void)? {
        get { fields.value.progress }
        _modify { yield &fields.value.progress }
    }

    /// The endpoint that this request was built from, for stubs, logs and tracking; nil if it was built by hand.
    public var endpoint: (any Sendable)? { fields.value.endpoint }

    /// Whether a response is a success, as the endpoint says; nil for a status of 200 to 299.
    var isSuccess: (@Sendable (HTTPResponse.Head) -> Bool)? {
        get { fields.value.isSuccess }
        set { fields.value.isSuccess = newValue }
    }

    /// The redirect that led the request to another origin; nil while it is at its own.
    package var redirection: Redirection? {
        get { fields.value.redirection }
        set { fields.value.redirection = newValue }
    }

    /// When the whole `send` must have ended; nil if it has no deadline.
    package var deadline: Deadline? {
        get { fields.value.deadline }
        set { fields.value.deadline = newValue }
    }

    /// Asked before an engine sends the request again because its connection broke; nil if it always may. A client that
    /// counts or reports attempts sets it, and asks the one that was there before.
    package var mayResend: ResendApproval? {
        get { fields.value.mayResend }
        set { fields.value.mayResend = newValue }
    }

    /// Whether a client is going to send the request again after a response, so that its body hardly matters; nil if
    /// none is. ``expectReplacement(if:)`` adds to it.
    package var mayReplace: HeadTest? {
        get { fields.value.mayReplace }
        set { fields.value.mayReplace = newValue }
    }

    /// Has engines receive at most 64 KiB of a body whose response a client is going to replace.
    package mutating func expectReplacement(if test: @escaping HeadTest) {
        let others = mayReplace
        mayReplace = { head in test(head) || others?(head) ?? false }
    }

    /// A condition for the head of a response.
    package typealias HeadTest = @Sendable (HTTPResponse.Head) -> Bool

    /// Whether a request may be sent again after an error.
    package typealias ResendApproval = @Sendable (TransportError) -> Bool

    /// The time left until ``RequestOptions/deadline``, for all hops and attempts; nil if there is no deadline.
    package var timeLeft: Duration? { deadline?.timeLeft }

    /// Where clients have put credentials; descriptions mask those places whatever their names.
    package var credentialPlaces: Set<CredentialPlace> {
        get { fields.value.credentialPlaces }
        _modify { yield &fields.value.credentialPlaces }
    }

    /// Creates a request by hand, as tests of engines and clients do.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        options: RequestOptions = RequestOptions(),
        delivery: ResponseBody.Delivery = .data,
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        endpoint: (any Sendable)? = nil
    ) {
        fields = CopiedOnWrite(
            Fields(
                method: method, url: url, headers: headers, body: body, options: options, delivery: delivery,
                progress: progress, endpoint: endpoint))
    }

    /// How the body that follows a head is to be delivered: as the request says or, if the endpoint rejects the status,
    /// as data.
    public func delivery(of head: HTTPResponse.Head) -> ResponseBody.Delivery {
        guard delivery != .data else { return .data }
        return isSuccess?(head) ?? (200..<300 ~= head.status) ? delivery : .data
    }

    /// Whether the request may be sent again if no response arrives: its method is idempotent (RFC 9110, section
    /// 9.2.2), its ``RequestOptions/isRepeatable`` says so, or it has an `Idempotency-Key`.
    public var isRepeatable: Bool {
        method.isIdempotent || options.isRepeatable || headers[.idempotencyKey]?.isEmpty == false
    }

    /// Returns the request as it may reach the wire. An engine calls this first and sends what it returns.
    ///
    /// If the headers have no `Content-Type`, a body gets its own type or, without one, `application/octet-stream`. The
    /// method and the names of headers are tokens, values hold no control character but a tab (RFC 9110, sections 5.1,
    /// 5.5 and 9.1), the caller has not set `Content-Length` or `Transfer-Encoding`, GET, HEAD and TRACE have no body,
    /// the body can be created, and the port is from 1 to 65535.
    ///
    /// A request that a redirect has led to another origin loses its credentials here, including those that clients
    /// have added on the way: every header but those of an allow-list, user information, and the query items that the
    /// redirect's target does not have. Headers that remain are those about the body and the wanted response
    /// (`Accept`, `Content-Type`, `If-None-Match`, `Range` …), `User-Agent`, `Idempotency-Key`, `Last-Event-ID`,
    /// `X-Request-Id` and those of W3C Trace Context. ``RequestOptions/credentialHosts`` names hosts that get
    /// everything.
    ///
    /// - Throws: ``RequestError`` with the first thing that is wrong.
    public func validated() throws(RequestError) -> HTTPRequest {
        var request = withoutForeignCredentials
        if let body { request.headers.addContentType(of: body) }
        request.body = try request.validatedBody()
        if let problem = url.portProblem { throw fault(.baseURL, "the URL \(problem)") }
        guard body == nil || mayCarryCredentials || options.sendsBodyAcrossOrigins else {
            throw fault(.body, "a redirect has led to another origin, and the options do not allow a body there")
        }
        return request
    }

    /// Checks the method, the headers and the body, and returns the body as it can be sent.
    ///
    /// - Throws: ``RequestError`` with the first thing that is wrong.
    func validatedBody() throws(RequestError) -> RequestBody? {
        guard method.rawValue.isToken else {
            throw fault(.method, "the method \(method.rawValue.debugDescription) is not a token (letters, digits, -)")
        }
        guard body == nil || method.allowsBody else {
            throw fault(.body, "a \(method) request has no body: use `parameters` for the query, or another method")
        }
        do throws(RequestError) {
            try headers.validate()
            return try body?.prepared()
        } catch {
            throw error.withRequest(method: method, url: url)
        }
    }

    private func fault(_ code: RequestError.Code, _ message: String) -> RequestError {
        RequestError(code, message, method: method, url: url)
    }
}

extension HTTPRequest: Equatable {
    /// Whether two requests are the same as sent and in their options, and redirects have led neither away from its
    /// origin or both away from the same one.
    public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.method == right.method && left.url == right.url && left.headers == right.headers
            && left.body == right.body && left.options == right.options && left.delivery == right.delivery
            && left.redirection == right.redirection
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// The request as it is sent, with secrets masked and a long body truncated.
    public var description: String {
        var lines = ["\(method) \(maskedURL)"] + headers.map(maskedLine)
        if let body { lines += ["", body.description] }
        return maskingCredentials(in: lines.joined(separator: "\n"))
    }
}
