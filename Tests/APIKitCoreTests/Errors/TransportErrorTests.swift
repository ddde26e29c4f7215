import APIKitCore
import Foundation
import TestSupport
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
        #expect(TransportError(.init(rawValue: "outOfPaper")).description == "outOfPaper")
        #expect(TransportError(.timedOut, "too slow").description == "timedOut: too slow")
        #expect(TransportError(.connectionLost, underlying: Trouble()).description == "connectionLost: Trouble()")
        #expect(TransportError(.connectionLost, "words", underlying: Trouble()).description == "connectionLost: words")
        for words in ["one\ntwo", "one\r\ntwo", "one\u{2028}two"] {
            #expect(TransportError(.badResponse, words).description == "badResponse: one two")
        }
        #expect(!TransportError(.badResponse, "Set-Cookie: sid=hunter2").description.contains("hunter2"))
    }
}
