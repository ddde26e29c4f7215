import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Creates the error of one of `URLSession`'s, which is kept.
    init(_ error: any Error, for request: HTTPRequest) {
        let code = (error as? URLError).map(Self.code(of:)) ?? .other
        let isTimeout = code == .timedOut
        let message = isTimeout ? "no data received for \(request.options.effectiveTimeout)" : error.localizedDescription
        self.init(code, message, request: request, underlying: error)
    }

    private static func code(of error: URLError) -> Code {
        if error.code == .unknown || error.code == .badServerResponse {
            let text = error.localizedDescription.lowercased()
            if let known = linuxTexts.first(where: { text.contains($0.text) }) { return known.code }
        }
        return codes[error.code] ?? .other
    }

    private static let codes: [URLError.Code: Code] = [
        .cannotConnectToHost: .cannotConnect, .notConnectedToInternet: .cannotConnect,
        .internationalRoamingOff: .cannotConnect, .callIsActive: .cannotConnect, .dataNotAllowed: .cannotConnect,
        .cannotFindHost: .nameNotResolved, .dnsLookupFailed: .nameNotResolved,
        .timedOut: .timedOut,
        .networkConnectionLost: .connectionLost, .resourceUnavailable: .connectionLost,
        .secureConnectionFailed: .secureConnectionFailed, .serverCertificateHasBadDate: .secureConnectionFailed,
        .serverCertificateUntrusted: .secureConnectionFailed, .serverCertificateHasUnknownRoot: .secureConnectionFailed,
        .serverCertificateNotYetValid: .secureConnectionFailed, .clientCertificateRejected: .secureConnectionFailed,
        .clientCertificateRequired: .secureConnectionFailed,
        .appTransportSecurityRequiresSecureConnection: .secureConnectionFailed,
        .badServerResponse: .badResponse, .cannotParseResponse: .badResponse, .cannotDecodeRawData: .badResponse,
        .cannotDecodeContentData: .badResponse, .zeroByteResource: .badResponse,
        .unsupportedURL: .badResponse,  // ours are http and https: on Linux this is a malformed status line
        .httpTooManyRedirects: .tooManyRedirects,
        .dataLengthExceedsMaximum: .bodyTooLarge,
        .badURL: .unsupported,
    ]

    /// On Linux much is one code and differs in its text alone, which is that of libcurl 7.76 to 8.23.
    private static let linuxTexts: [(text: String, code: Code)] = [
        ("empty reply", .connectionLost), ("transfer closed", .connectionLost), ("failure", .connectionLost),
        ("connection died", .connectionLost), ("failed to connect", .cannotConnect),  // also without descriptors
        ("not closed cleanly", .connectionLost), ("bytes missing", .connectionLost),
        ("ssl", .secureConnectionFailed), ("tls", .secureConnectionFailed), ("certificate", .secureConnectionFailed),
        ("chunk", .badResponse), ("unencoding", .badResponse), ("header", .badResponse),
        ("content-length", .badResponse), ("content or transfer-encoding", .badResponse),
        ("content encoding", .badResponse), ("http/2", .badResponse),
        ("failed writing", .badResponse),  // what it says of bytes after a compressed body
        ("out of memory", .badResponse),  // what it says of a header of 100 KB and more
    ]
}
