import APIKit
import Testing

@testable import Recorded

@Suite struct DeleteUserRequestTests {
    @Test func sendsTheRecordedPath() throws {
        let request = DeleteUserRequest(id: 3)
        #expect(try request.httpRequest().url.path(percentEncoded: false) == "/api/v2/users/3")
    }
}
