import APIKit
import Testing

@testable import Recorded

@Suite struct CreateUserRequestTests {
    @Test func readsARecordedResponse() throws {
        _ = try CreateUserRequest.Response.process(data: Data(response.utf8))
    }

    private let response = #"""
        {
          "created_at": "2026-01-02T03:04:05Z",
          "email": null,
          "id": 3,
          "name": "Cem"
        }
        """#

    @Test func sendsTheRecordedPath() throws {
        let request = CreateUserRequest(name: "Cem", age: 7)
        #expect(try request.httpRequest().url.path(percentEncoded: false) == "/api/v2/users")
    }
}
