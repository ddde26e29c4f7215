#if os(Linux)
import APIKitCore
import CAPIKitCurl

extension TransportError {
    /// Creates the error of one of libcurl's codes.
    ///
    /// - Parameters:
    ///   - code: libcurl's code.
    ///   - text: What libcurl says of this transfer; empty if it says nothing.
    init(curl code: Int32, _ text: String) {
        let general = String(cString: acurl_message(code))
        self.init(Code(curl: code, text), text.isEmpty ? general : text, underlying: CurlError(code: code))
    }
}

/// The number of an error of libcurl (`CURLcode`), such as 28 for a timeout.
struct CurlError: Error {
    let code: Int32
}

extension TransportError.Code {
    /// The code of one of libcurl's; what fits nothing is `other`.
    fileprivate init(curl code: Int32, _ text: String) {
        // The one code that means several things: a reset, invalid chunks, and a head that is too long.
        if code == 56, text.contains("chunk") || text.contains("oo large") {
            self = .badResponse
        } else if [16, 92].contains(code), Self.malformed.contains(where: text.contains) {
            self = .badResponse
        } else {
            self = Self.general(code)
        }
    }

    /// What libcurl says of a malformed head or frame (RFC 9113, sections 8.1.1 and 5.4.1). Before 8.5 it says the same
    /// of a stream that the server has reset with that error.
    private static let malformed =
        ["Invalid HTTP header field", "nghttp2 shuts down"]
        + (acurl_version() < 0x08_05_00 ? ["PROTOCOL_ERROR (err 1)"] : [])

    private static func general(_ code: Int32) -> Self {
        switch code {
        case 3, 4, 48: .unsupported
        case 5, 6: .nameNotResolved
        case 7, 45, 97: .cannotConnect
        case 28: .timedOut
        // 42: it would have been sent a second time.
        case 16, 18, 42, 52, 55, 56, 65, 92: .connectionLost
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: .secureConnectionFailed
        // 27 and 43: a header that is too long, or folded without one to belong to, in older versions.
        case 1, 8, 27, 43, 61, 63, 100: .badResponse
        default: .other
        }
    }
}
#endif
