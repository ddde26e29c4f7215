// The test of the README, which needs only these imports.

import APIKit
import APIKitTesting
import Testing

@Test func usersAreListed() async throws {
    let json = Data(#"[{"id": 1, "login": "mojombo"}]"#.utf8)
    let users = try UsersRequest.Response.process(data: json)
    #expect(users.first?.login == "mojombo")

    let url = try UsersRequest(since: 46).httpRequest().url.absoluteString
    #expect(url == "https://api.github.com/users?since=46&per_page=100")

    let stub = StubClient().answering(UsersRequest.self, with: .model(users))
    #expect(try await stub.send(UsersRequest()).count == 1)
}
