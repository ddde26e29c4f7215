#if os(Linux)
import CAPIKitCurl

/// A version of libcurl, and what it does in another way than the newest one, as far as the engine has to know it. The
/// oldest version that `acurl_open` accepts is 7.76, that of RHEL 9.
///
/// Each property is one difference. The following ones need none, since the engine does the same with every version:
///
/// | Versions | What libcurl does | What the engine does |
/// | --- | --- | --- |
/// | before 7.80 | forgets the local port of a kept connection | `Sockets.c` finds the connection by its transfer |
/// | before 7.84 | does not tell which root certificates it reads | `CAPIKitCurl.c` then leaves them as they are |
/// | before 7.85 | takes the allowed protocols as a number only | the configuration tries the text, then the number |
/// | before 7.87 | cannot leave a name look-up behind | the configuration sets the option if there is one |
/// | from 8.3 | may log refused streams only after `curl_global_trace` | `CAPIKitCurl.c` calls it if it exists |
/// | before 8.8 | has a buffer for each transfer | buffers are small if there are many transfers |
struct CurlVersion {
    private let number: UInt32

    /// The installed version. It is only known after `acurl_open` has opened libcurl.
    static let installed = CurlVersion(number: acurl_version())

    private init(number: UInt32) {
        self.number = number
    }

    init(_ major: UInt32, _ minor: UInt32) {
        number = acurl_version_number(major, minor)
    }

    /// From 7.80 on, libcurl calls back before each attempt to send a request, and tells over which connection.
    ///
    /// Older versions call back after each step of a transfer only. ``SendingGuard`` then finds out what they have
    /// done, and it is not certain that a request was not sent.
    var callsBackBeforeSending: Bool { !isBefore(7, 80) }

    /// Before 7.80, libcurl often loses a response that arrives over a kept HTTP/2 connection before the body of the
    /// request is sent. A request with a body that must not be repeated then gets a connection of its own.
    var losesEarlyResponses: Bool { isBefore(7, 80) }

    /// From 7.83 to 7.88, a handle that is used again, even after `curl_easy_reset`, has a dangling pointer to a header
    /// of the last response. libcurl follows this pointer if the next response begins with a folded line, so a server
    /// can trigger a use after free.
    ///
    /// The engine then has libcurl pass the lines of a head to the write callback too (`CURLOPT_HEADER`), before it
    /// parses them, and the callback refuses such a line in time.
    var hasDanglingHeader: Bool { !isBefore(7, 83) && isBefore(8, 0) }

    /// From 7.88 to 8.3, libcurl sets no timer for trying the next address of a host if the first one does not respond.
    /// The thread then makes libcurl act at intervals while a transfer connects.
    var forgetsOtherAddresses: Bool { !isBefore(7, 88) && isBefore(8, 4) }

    /// Before 8.5, libcurl's message for a malformed frame of HTTP/2 is the one for a stream that the server has reset
    /// with the error PROTOCOL_ERROR. Both are then taken for a malformed response.
    var describesMalformedFramesAsResets: Bool { isBefore(8, 5) }

    private func isBefore(_ major: UInt32, _ minor: UInt32) -> Bool {
        number < acurl_version_number(major, minor)
    }
}
#endif
