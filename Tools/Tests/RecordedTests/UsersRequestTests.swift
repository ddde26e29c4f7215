import APIKit
import Testing

@testable import Recorded

@Suite struct UsersRequestTests {
    @Test func readsARecordedResponse() throws {
        _ = try UsersRequest.Response.process(data: Data(response.utf8))
    }

    private let response = #"""
        [
          {
            "created_at": "2026-01-02T03:04:05Z",
            "email": null,
            "id": 1,
            "name": "Ann"
          },
          {
            "created_at": "2026-01-02T03:04:05.123+02:00",
            "email": "b@c.de",
            "id": 2,
            "name": "Bob"
          }
        ]
        """#

    @Test func sendsTheRecordedPath() throws {
        let request = UsersRequest()
        #expect(try request.httpRequest().url.path(percentEncoded: false) == "/api/v2/users")
    }
}
