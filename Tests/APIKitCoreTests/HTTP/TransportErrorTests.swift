import APIKitCore
import Foundation
import Testing

@Suite struct TransportErrorTests {
    private let request = HTTPRequest(
        method: .put, url: URL(string: "https://user:hunter2@api.example.com/a?api_key=hunter2&b=1")!)

    @Test func namesItsRequestWithoutSecrets() {
        let error = TransportError(.timedOut, "too slow", request: request)
        #expect(error.description == "PUT https://api.example.com/a?api_key=***&b=1: timedOut: too slow")
        #expect(error.localizedDescription == error.description)
        #expect(error.method == .put)
        #expect(error.url == request.url)
    }

    @Test func describesAvailableDetails() {
        struct Trouble: Error {}
        #expect(TransportError(.timedOut).description == "timedOut")
        #expect(TransportError(.timedOut, "too slow").description == "timedOut: too slow")
        #expect(TransportError(.connectionLost, underlying: Trouble()).description == "connectionLost: Trouble()")
        #expect(TransportError(.connectionLost, "words", underlying: Trouble()).description == "connectionLost: words")
    }

    @Test(arguments: ["one\ntwo", "one\r\ntwo", "one\u{2028}two"]) func staysOnOneLine(words: String) {
        let error = TransportError(.badResponse, words, request: request)
        #expect(isOneLine(error.description))
        #expect(isOneLine(error.localizedDescription))
    }

    @Test func masksItsMessage() {
        #expect(!TransportError(.badResponse, "Set-Cookie: sid=hunter2").description.contains("hunter2"))
    }

    @Test func allowsCustomCodes() {
        let mine = TransportError.Code(rawValue: "outOfPaper")
        #expect(TransportError(mine).description == "outOfPaper")
        #expect(mine == TransportError.Code(rawValue: "outOfPaper"))
        #expect("\(TransportError.Code.timedOut)" == "timedOut")
    }

    // RequestError builds its description in the same way.
    @Test(arguments: ["one\ntwo", "one\r\ntwo"]) func requestErrorStaysOnOneLine(words: String) {
        let error = RequestError(.body, words, method: .get, url: request.url)
        #expect(isOneLine(error.description))
        #expect(error.localizedDescription == error.description)
    }

    @Test func methodWithLineBreakStaysOnOneLine() throws {
        let endpoint = Endpoint<Data, Data>(method: "GET\r\nX-Evil: 1")
        let error = try #require(throws: RequestError.self) { try endpoint.httpRequest() }
        #expect(error.code == .method)
        #expect(isOneLine(error.description))
    }
}
