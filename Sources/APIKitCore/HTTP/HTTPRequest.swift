import APIKitSupport

/// A request as an engine sends it: ``APIRequest/httpRequest()`` builds it, clients pass it along, and an engine
/// performs it.
///
/// It is a plain value, which clients may change freely. What clients must not change, such as the origin that the
/// credentials are for, is in the ``Call``.
public struct HTTPRequest: Sendable {
    private struct Fields: Sendable, Equatable {
        var method: HTTPMethod
        var url: LazyURL
        var headers: HTTPHeaders
        var body: RequestBody?
        var options: RequestOptions
        var delivery: ResponseBody.Delivery
    }

    /// The values of a request, which its copies share until one of them is changed.
    ///
    /// Each client and each function that waits has a copy of the request. Without sharing, each copy would be code
    /// that copies every value by itself.
    ///
    /// `@unchecked Sendable`: the values are changed only while there is a single reference to them.
    private final class Storage: @unchecked Sendable {
        /// Checking exclusive access at run time is not needed: the values are changed only through ``HTTPRequest``,
        /// whose exclusive access the compiler checks.
        @exclusivity(unchecked) var fields: Fields
        /// See ``HTTPRequest/pathValues``. Equality ignores them, since the URL contains them.
        let pathValues: [NamedPathValue]
        /// See ``HTTPRequest/protectedOrigin``. Equality ignores it, since it only explains missing credentials.
        @exclusivity(unchecked) var protectedOrigin: URL?

        init(_ fields: Fields, _ pathValues: [NamedPathValue], protecting origin: URL? = nil) {
            self.fields = fields
            self.pathValues = pathValues
            protectedOrigin = origin
        }
    }

    private var storage: Storage

    private var fields: Fields {
        get { storage.fields }
        _modify {
            copySharedStorage()
            yield &storage.fields
        }
    }

    // Not inlined, since each change of a request calls it.
    @inline(never)
    private mutating func copySharedStorage() {
        if isKnownUniquelyReferenced(&storage) { return }
        storage = Storage(storage.fields, storage.pathValues, protecting: storage.protectedOrigin)
    }

    /// The method.
    public var method: HTTPMethod {
        get { storage.fields.method }
        _modify { yield &fields.method }
    }

    /// The absolute URL, encoded as it is sent.
    public var url: URL {
        get { lazyURL.url }
        set { lazyURL = .parsed(newValue) }
    }

    /// The URL, for code that needs only its text.
    package var lazyURL: LazyURL {
        get { storage.fields.url }
        set { fields.url = newValue }
    }

    /// The headers. The engine adds the connection's headers, such as `Content-Length`.
    public var headers: HTTPHeaders {
        get { storage.fields.headers }
        _modify { yield &fields.headers }
    }

    /// The body, if any.
    public var body: RequestBody? {
        get { storage.fields.body }
        _modify { yield &fields.body }
    }

    /// Limits of time and size, and how redirects are handled. Their values when the request reaches an engine apply.
    public var options: RequestOptions {
        get { storage.fields.options }
        _modify { yield &fields.options }
    }

    /// The form in which the body of the response is to be delivered.
    public var delivery: ResponseBody.Delivery {
        get { storage.fields.delivery }
        _modify { yield &fields.delivery }
    }

    /// Creates a request by hand, for tests and for clients that send requests of their own.
    public init(
        method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: RequestBody? = nil,
        options: RequestOptions = RequestOptions(),
        delivery: ResponseBody.Delivery = .data
    ) {
        self.init(
            method: method, lazyURL: .parsed(url), headers: headers, body: body, options: options, delivery: delivery)
    }

    /// Creates the request of an endpoint, whose URL is parsed only on demand.
    init(
        method: HTTPMethod, lazyURL: LazyURL, headers: HTTPHeaders, body: RequestBody?, options: RequestOptions,
        delivery: ResponseBody.Delivery, pathValues: [NamedPathValue] = []
    ) {
        let fields = Fields(
            method: method, url: lazyURL, headers: headers, body: body, options: options, delivery: delivery)
        storage = Storage(fields, pathValues)
    }

    /// The named values in the endpoint's path, so that those with the name of a secret can be masked.
    var pathValues: [NamedPathValue] { storage.pathValues }

    /// A URL of the origin whose credentials this request must not have: a redirect has led away from it, or it has
    /// named a URL at another one. Nil if the request may have its call's credentials. Errors show it.
    var protectedOrigin: URL? {
        get { storage.protectedOrigin }
        set {
            copySharedStorage()
            storage.protectedOrigin = newValue
        }
    }

    /// Whether the request may be sent again if its connection breaks or a client retries: its method is idempotent
    /// (RFC 9110, section 9.2.2), its options say so, or it has an `Idempotency-Key`.
    public var isIdempotent: Bool {
        method.isIdempotent || options.isIdempotent == true || headers[.idempotencyKey]?.isEmpty == false
    }

    /// The same request for a record: without the closures of streams in its body, which may keep large objects alive.
    /// It equals this one.
    package var withoutStreams: HTTPRequest {
        guard storage.fields.body?.mayHaveStreams == true else { return self }
        var request = self
        request.body = body?.withoutStreams
        return request
    }
}

// MARK: - Validity

extension HTTPRequest {
    /// Checks everything that needs no access to files: the method, the headers and the body.
    ///
    /// - Throws: ``RequestError``.
    func validate() throws(RequestError) {
        guard method.rawValue.isToken else {
            throw fault(.method, "the method \(method.rawValue.debugDescription) is not a token (letters, digits, -)")
        }
        guard body == nil || method.allowsBody else {
            throw fault(.body, "a \(method) request has no body: use `parameters` for the query, or another method")
        }
        do throws(RequestError) {
            try headers.validate()
            try body?.validate()
        } catch {
            throw error.withRequest(method: method, url: url)
        }
    }

    /// Returns the request as an engine sends it in a call.
    ///
    /// If the headers have no `Content-Type`, the body's type is added or, if it has none, `application/octet-stream`.
    /// After a redirect to another origin, the parts that this origin must not see are removed; see ``Call``.
    ///
    /// In the result, the method and the names of headers are tokens, and the values of headers contain no control
    /// character other than a tab (RFC 9110, sections 5.1, 5.5 and 9.1). `Content-Length` and `Transfer-Encoding` are
    /// not set, since the engine sets them. GET, HEAD and TRACE have no body. A body can be created, and its files
    /// exist. The port is from 1 to 65535.
    ///
    /// - Throws: ``RequestError`` for a request that cannot be sent.
    package func prepared(in call: Call) throws(RequestError) -> HTTPRequest {
        var request = self
        let redirection = call.redirection
        if let redirection { request = request.withoutForeignCredentials(after: redirection) }
        // Tested first, since changing the headers copies the request's storage.
        if let body, request.headers.lackContentType(of: body) { request.headers.addContentType(of: body) }
        if let problem = lazyURL.text.portProblem { throw fault(.url, "the URL \(problem)") }
        try request.validate()
        guard let body else { return request }
        if let redirection, !mayCarryBody(after: redirection) {
            throw fault(.body, "a redirect has led to another origin, and the options do not allow a body there")
        }
        if body.isUnmeasured { request.body = try measured(body) }
        return request
    }

    /// Returns a body with the sizes of its files.
    private func measured(_ body: RequestBody) throws(RequestError) -> RequestBody {
        do throws(RequestError) {
            return try body.prepared()
        } catch {
            throw error.withRequest(method: method, url: url)
        }
    }

    private func fault(_ code: RequestError.Code, _ message: String) -> RequestError {
        RequestError(code, message, method: method, url: url)
    }
}

extension HTTPRequest: Equatable {
    /// Whether all values of two requests are equal.
    public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.storage === right.storage || left.storage.fields == right.storage.fields
    }
}

extension HTTPRequest: CustomStringConvertible {
    /// The method, the URL and the headers, and the body if it is in memory, with secrets masked.
    public var description: String {
        var lines = ["\(method) \(maskedURL)"] + headers.map(maskedLine)
        if let body { lines += ["", body.description] }
        return maskingCredentials(in: lines.joined(separator: "\n"))
    }
}
