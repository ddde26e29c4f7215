extension Platform {
    /// What `URLSession` says went wrong, sorted. The error behind it is kept, and its text.
    static func transportError(_ error: any Error, for request: HTTPRequest) -> any Error {
        guard let error = error as? URLError else {
            return TransportError(.clientFailed, error.localizedDescription, request: request, underlying: error)
        }
        let code = code(of: error)
        return TransportError(code, error.localizedDescription, request: request, underlying: error)
    }

    private static func code(of error: URLError) -> TransportError.Code {
        if let code = codes[error.code] { return code }
        // On Linux much is one code and differs in its text alone, which is libcurl's.
        let text = error.localizedDescription.lowercased()
        let known = textCodes.first { text.contains($0.text) }
        return known?.code ?? .clientFailed
    }

    private static let codes: [URLError.Code: TransportError.Code] = [
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

    private static let textCodes: [(text: String, code: TransportError.Code)] = []
}
