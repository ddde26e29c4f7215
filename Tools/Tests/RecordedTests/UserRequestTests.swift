import APIKit
import Testing

@testable import Recorded

@Suite struct UserRequestTests {
    @Test func readsARecordedResponse() throws {
        _ = try UserRequest.Response.process(data: Data(response.utf8))
    }

    private let response = #"""
        {
          "created_at": "2026-01-02T03:04:05Z",
          "email": null,
          "id": 1,
          "name": "Ann"
        }
        """#

    @Test func sendsTheRecordedPath() throws {
        let request = UserRequest(id: 1)
        #expect(try request.httpRequest().url.path(percentEncoded: false) == "/api/v2/users/1")
    }
}
