public import APIKitCore
import APIKitSupport
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension URLRequest {
    /// Creates Foundation's request from an ``HTTPRequest``. Repeated headers are joined, since a `URLRequest` has one
    /// value per name.
    ///
    /// If the headers have no `Content-Type`, the body's is added. A body that is not in memory, such as a file, is
    /// omitted.
    public init(_ request: HTTPRequest) {
        var head = request
        if let body = request.body { head.headers.addContentType(of: body) }
        self.init(head: head)
        httpBody = request.body?.data
    }

    /// Creates the request without its body.
    init(head request: HTTPRequest) {
        self.init(url: request.url)
        // Set afterwards, since Foundation on Linux ignores the initializer's timeout.
        timeoutInterval = request.options.effectiveTimeout.interval
        #if !canImport(FoundationNetworking)
        // Only `false` is set: `true` must not lift the session's own restrictions.
        if request.options.allowsExpensiveNetworkAccess == false { allowsExpensiveNetworkAccess = false }
        if request.options.allowsConstrainedNetworkAccess == false { allowsConstrainedNetworkAccess = false }
        #endif
        httpMethod = request.method.rawValue
        for field in request.headers {
            // The header's values, joined if it is repeated. It is then set several times, always to the same value.
            setValue(request.headers[field.name], forHTTPHeaderField: field.name.rawValue)
        }
    }
}

extension HTTPRequest {
    /// Creates a request from Foundation's, for code that has a `URLRequest` already, such as a builder or an older
    /// client.
    ///
    /// ```swift
    /// let response = try await client.perform(HTTPRequest(urlRequest))
    /// ```
    ///
    /// The method, the URL, the headers and the `httpBody` are used. Foundation loses the order of headers, so they are
    /// sorted by name. `Content-Length` and `Transfer-Encoding` are omitted, since the engine sets them. A timeout
    /// becomes an option if it is not Foundation's default of 60 seconds, and on Apple's platforms, so does a network
    /// that the request must not use. Everything else is ignored, such as the cache policy: it belongs to the session.
    ///
    /// - Throws: ``RequestError`` with the code `url` if there is no URL, and with the code `body` for an
    ///   `httpBodyStream`, which could be read only once; use ``RequestBody/stream(length:contentType:_:)``.
    public init(_ request: URLRequest) throws(RequestError) {
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        guard let url = request.url?.absoluteURL else {
            throw RequestError(.url, "the URLRequest has no URL", method: method)
        }
        guard request.httpBodyStream == nil else {
            let problem = "an httpBodyStream can be read only once: use `httpBody`, or a `RequestBody.stream`"
            throw RequestError(.body, problem, method: method, url: url)
        }
        var headers = HTTPHeaders(sorting: request.allHTTPHeaderFields ?? [:])
        headers.removeAll { $0.name == .contentLength || $0.name == .transferEncoding }
        // The body has no type of its own, since its type is among the headers.
        let body = request.httpBody.map { RequestBody.data($0, contentType: nil) }
        self.init(method: method, url: url, headers: headers, body: body, options: RequestOptions(request))
    }
}

extension RequestOptions {
    /// Creates the options whose values in Foundation's request are not Foundation's defaults.
    init(_ request: URLRequest) {
        self.init(timeout: TimeLimit(interval: request.timeoutInterval))
        #if !canImport(FoundationNetworking)
        if !request.allowsExpensiveNetworkAccess { allowsExpensiveNetworkAccess = false }
        if !request.allowsConstrainedNetworkAccess { allowsConstrainedNetworkAccess = false }
        #endif
    }
}

extension RequestOptions.TimeLimit {
    /// Creates a limit from Foundation's timeout; nil for its default, and for a number that is not a duration.
    fileprivate init?(interval: TimeInterval) {
        let foundationDefault = 60.0
        guard interval > 0, interval != foundationDefault else { return nil }
        if interval < Duration.longestInterval {
            self = .after(.seconds(interval))
        } else {
            self = .unlimited
        }
    }
}

extension HTTPURLResponse {
    /// Creates Foundation's response from a head, for code that expects one. Returns nil if Foundation refuses the
    /// values.
    ///
    /// An `HTTPURLResponse` has one value per name, so repeated headers are joined by `", "`, as `URLSession` joins
    /// them; `HTTPCookie` reads cookies that are joined in this way.
    public convenience init?(_ head: HTTPResponse.Head) {
        var values: [HTTPHeaders.Name: String] = [:]
        for field in head.headers where values[field.name] == nil {
            values[field.name] = head.headers.values(for: field.name).joined(separator: ", ")
        }
        var fields: [String: String] = [:]
        for (name, value) in values { fields[name.rawValue] = value }
        self.init(url: head.url, statusCode: head.status, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}

extension HTTPResponse.Head {
    /// Creates a head from Foundation's response. Returns nil if the response has no URL.
    ///
    /// Foundation joins repeated headers and loses the order of all headers, so they are sorted by name.
    public init?(_ response: HTTPURLResponse) {
        guard let url = response.url else { return nil }
        self.init(response, url: url)
    }

    init(_ response: HTTPURLResponse, url: URL) {
        self.init(status: response.statusCode, headers: HTTPHeaders(sorting: response.allHeaderFields), url: url)
    }
}

extension HTTPHeaders {
    /// Creates headers from Foundation's dictionary, sorted by name.
    init(sorting fields: [AnyHashable: Any]) {
        var names: [String] = []
        for name in fields.keys {
            if let name = name as? String { names.append(name) }
        }
        self.init()
        for name in names.sortedAndUnique { append("\(fields[name] ?? "")", for: Name(rawValue: name)) }
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration as a timeout for a session: rounded up to milliseconds, and limited to 30 years. At least a
    /// millisecond.
    ///
    /// On Linux it is rounded up to seconds, since Foundation rounds down there, and a timeout must not be shorter than
    /// requested.
    var interval: TimeInterval {
        #if canImport(FoundationNetworking)
        let unit = 1.0
        #else
        let unit = 0.001
        #endif
        let units = max(1, (seconds / unit).rounded(.up))
        return min(units * unit, Self.longestInterval)
    }

    /// The longest timeout of a session in seconds, which is about 30 years.
    static let longestInterval: TimeInterval = 1e9
}

extension TransportError {
    /// Creates an error from one of `URLSession`, which becomes the underlying error. An unknown one has the code
    /// `other`.
    ///
    /// A session judges the timeout itself, by its own clock: it does not report everything that arrives, such as the
    /// bytes of a compressed body that decode to nothing yet, so the exchange would end requests that are not idle.
    init(_ error: any Error, for request: HTTPRequest) {
        var code = Code.other
        if let error = error as? URLError { code = Self.code(of: error) }
        if code == .timedOut {
            self = .noData(for: request, underlying: error)
        } else {
            self.init(code, error.localizedDescription, request: request, underlying: error)
        }
    }

    private static func code(of error: URLError) -> Code {
        switch error.code {
        case .cannotConnectToHost, .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed:
            .cannotConnect
        case .cannotFindHost, .dnsLookupFailed:
            .nameNotResolved
        case .timedOut:
            .timedOut
        case .networkConnectionLost, .resourceUnavailable:
            .connectionLost
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .secureConnectionFailed
        case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .zeroByteResource:
            .badResponse
        case .httpTooManyRedirects:
            .tooManyRedirects
        case .dataLengthExceedsMaximum:
            .bodyTooLarge
        case .badURL, .unsupportedURL:
            .unsupported
        default:
            .other
        }
    }
}
