#if os(Linux)
import APIKitCore
import CAPIKitCurl

extension TransportError {
    /// Creates the error for a transfer that libcurl has ended with an error.
    ///
    /// - Parameters:
    ///   - code: libcurl's code.
    ///   - text: libcurl's message about this transfer; empty if there is none.
    ///   - hasResponse: Whether a response has begun, so that the error may be a fault of the response.
    init(curl code: Int32, _ text: String, hasResponse: Bool) {
        let cannotConnect = [CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT].contains(Int(code))
        // Older versions of libcurl report CURLE_OUT_OF_MEMORY for a head that is too large, newer ones
        // CURLE_TOO_LARGE. It is the head of the request if no response has begun.
        let isHeadTooLarge = [CURLE_OUT_OF_MEMORY, CURLE_TOO_LARGE].contains(Int(code))
        let underlying = CurlError(code: code)
        if cannotConnect, !acurl_has_free_descriptor() {
            let message = "no file descriptor is left (EMFILE): raise the limit, or close what is not in use"
            self.init(.cannotConnect, message, underlying: underlying)
        } else if isHeadTooLarge, !hasResponse {
            let message = "libcurl cannot send the request: no memory is left, or its headers have more than 1 MiB"
            self.init(.other, message, underlying: underlying)
        } else if Int(code) == CURLE_ABORTED_BY_CALLBACK {
            // libcurl's own message is that a callback has aborted the operation.
            let message = "the connection could no longer be used, and the request is not sent a second time"
            self.init(Code(curl: code, text), message, underlying: underlying)
        } else {
            let message = text.isEmpty ? String(cString: acurl_message(code)) : text
            self.init(Code(curl: code, text), message, underlying: underlying)
        }
    }
}

/// An error code of libcurl (`CURLcode`), such as 28 for a timeout.
struct CurlError: Error {
    let code: Int32
}

extension TransportError.Code {
    /// Creates the code that corresponds to libcurl's code; `other` if there is none.
    ///
    /// Some of libcurl's codes stand for a malformed response as well as for a broken connection. For these, the
    /// message decides.
    fileprivate init(curl code: Int32, _ text: String) {
        switch Int(code) {
        case CURLE_RECV_ERROR:
            let isMalformed = Self.malformedBodyMessages.contains(where: text.contains)
            self = isMalformed ? .badResponse : .connectionLost
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            let isMalformed = Self.malformedFrameMessages.contains(where: text.contains)
            self = isMalformed ? .badResponse : .connectionLost
        default:
            self = Self.general(code)
        }
    }

    /// Parts of libcurl's messages for invalid chunks and for a head that is too long: "Too large", or "too large".
    private static let malformedBodyMessages = ["chunk", "oo large"]

    /// Parts of libcurl's messages for a malformed head or frame (RFC 9113, sections 8.1.1 and 5.4.1).
    private static let malformedFrameMessages: [String] = {
        var texts = ["Invalid HTTP header field", "nghttp2 shuts down"]
        if CurlVersion.installed.describesMalformedFramesAsResets { texts.append("PROTOCOL_ERROR (err 1)") }
        return texts
    }()

    /// Returns the code that corresponds to libcurl's code, whatever the message.
    private static func general(_ code: Int32) -> Self {
        switch Int(code) {
        case CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN, CURLE_UNKNOWN_OPTION:
            .unsupported
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST:
            .nameNotResolved
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY:
            .cannotConnect
        case CURLE_OPERATION_TIMEDOUT:
            .timedOut
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND:
            .connectionLost
        case CURLE_ABORTED_BY_CALLBACK:
            // A callback has kept libcurl from sending the request a second time; see `SendingGuard`.
            .connectionLost
        // CURLE_OBSOLETE51 is the old code for a certificate that cannot be verified.
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_OBSOLETE51, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT:
            .secureConnectionFailed
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_FILESIZE_EXCEEDED,
            CURLE_TOO_LARGE:
            .badResponse
        case CURLE_OUT_OF_MEMORY, CURLE_BAD_FUNCTION_ARGUMENT:
            // Older versions report a header of the response that is too long, or a folded line without a header before
            // it, in this way. A request that is too large was recognized before.
            .badResponse
        default:
            .other
        }
    }
}
#endif
