import APIKit
import Testing

@testable import APIKitFoundation

@Suite struct URLErrorTests {
    private static func error(_ code: URLError.Code, _ text: String = "words") -> URLError {
        URLError(code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    @Test(
        arguments: [
            (error(.cannotConnectToHost), TransportError.Code.cannotConnect),
            (error(.notConnectedToInternet), .cannotConnect), (error(.cannotFindHost), .nameNotResolved),
            (error(.timedOut), .timedOut), (error(.networkConnectionLost), .connectionLost),
            (error(.serverCertificateUntrusted), .secureConnectionFailed), (error(.badServerResponse), .badResponse),
            (error(.unknown, "something new"), .other), (error(.cancelled), .other),
        ] as [(URLError, TransportError.Code)])
    func sortsByCode(_ error: URLError, _ expected: TransportError.Code) {
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
