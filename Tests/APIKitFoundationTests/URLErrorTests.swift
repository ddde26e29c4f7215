import APIKit
import Testing

@testable import APIKitFoundation

@Suite struct URLErrorTests {
    private static func error(_ code: URLError.Code, _ text: String = "words") -> URLError {
        URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    @Test(arguments: [
        (error(.cannotConnectToHost), TransportError.Code.cannotConnect),
        (error(.notConnectedToInternet), .cannotConnect), (error(.cannotFindHost), .nameNotResolved),
        (error(.timedOut), .timedOut), (error(.networkConnectionLost), .connectionLost),
        (error(.serverCertificateUntrusted), .secureConnectionFailed), (error(.badServerResponse), .badResponse),
        (error(.badServerResponse, "Empty reply from server"), .connectionLost),
        (error(.unknown, "SSL certificate problem: self-signed certificate"), .secureConnectionFailed),
        (error(.unknown, "SSL: no alternative certificate subject name matches"), .secureConnectionFailed),
        (error(.unknown, "transfer closed with 95 bytes remaining to read"), .connectionLost),
        (error(.unknown, "end of response with 95 bytes missing"), .connectionLost),
        (error(.unknown, "chunk hex-length char not a hex digit: 0x7a"), .badResponse),
        (error(.unknown, "Send failure: Broken pipe"), .connectionLost),
        (error(.unknown, "Illegal or missing hexadecimal sequence in chunked-encoding"), .badResponse),
        (error(.unknown, "Connection died, tried 5 times before giving up"), .connectionLost),
        (error(.unknown, "Invalid Content-Length: value"), .badResponse),
        (error(.unknown, "Unrecognized content encoding type. libcurl understands deflate, gzip"), .badResponse),
        (error(.unknown, "Unrecognized or bad HTTP Content or Transfer-Encoding"), .badResponse),
        (
            error(.unknown, "Failed to connect to localhost port 1 after 0 ms: Couldn't connect to server"),
            .cannotConnect
        ),
        (error(.unknown, "Failed writing received data to disk/application"), .badResponse),
        (error(.unknown, "something new"), .other), (error(.cancelled), .other),
    ])
    func sortsByCodeAndByText(_ error: URLError, _ expected: TransportError.Code) {
        let sorted = TransportError(error, for: HTTPRequest(url: URL(string: "https://example.com")!))
        #expect(sorted.code == expected)
        #expect((sorted.underlying as? URLError)?.code == error.code)
    }

    @Test func aTextThatQuotesTheURLIsMasked() {
        let url = URL(string: "https://me:pw@example.com/?token=abc")!
        let error = Self.error(.cannotConnectToHost, "Failed to connect to https://me:pw@example.com/?token=abc now")
        let text = TransportError(error, for: HTTPRequest(url: url)).description
        #expect(!text.contains("abc") && !text.contains("pw@"))
        #expect(text.contains("now"))
    }
}
