import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct HTTPResponseCannedTests {
    @Test func jsonHasItsTypeUnlessHeadersSayAnother() {
        let response = HTTPResponse.json(#"{"a":1}"#)
        #expect(response.head.status == 200)
        #expect(response.head.contentType == .json)
        #expect(response.body.data == Data(#"{"a":1}"#.utf8))
        let problem = HTTPResponse.json(
            "{}", status: 404, headers: ["content-type": "application/problem+json", "X-A": "1"])
        #expect(problem.head.status == 404)
        #expect(problem.head.headers == ["Content-Type": "application/problem+json", "X-A": "1"])
        let empty = HTTPResponse.status(204)
        #expect(empty.head.headers.isEmpty && empty.body.data == Data())
        #expect(empty.timing == HTTPResponse.Timing())
        #expect(HTTPResponse.status(500, headers: ["X-A": "1"], body: Data([1])).body.data == Data([1]))
    }
}
