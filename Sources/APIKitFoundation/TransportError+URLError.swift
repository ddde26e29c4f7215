import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Creates the error of one of `URLSession`'s, which is kept.
    init(_ error: any Error, for request: HTTPRequest) {
        let code = (error as? URLError).flatMap { Self.codes[$0.code] } ?? .other
        let isTimeout = code == .timedOut
        let message =
            isTimeout ? "no data received for \(request.options.effectiveTimeout)" : error.localizedDescription
        self.init(code, message, request: request, underlying: error)
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
        .httpTooManyRedirects: .tooManyRedirects,
        .dataLengthExceedsMaximum: .bodyTooLarge,
        .badURL: .unsupported, .unsupportedURL: .unsupported,
    ]
}
