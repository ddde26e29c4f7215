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
    /// A body that is not in memory, such as a file, is omitted.
    public init(_ request: HTTPRequest) {
        self.init(head: request)
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
        return min(units * unit, 1e9)
    }
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
