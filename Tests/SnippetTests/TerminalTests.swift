import APIKit
import APIKitTesting
import Testing

/// The texts that the documentation shows as pictures of a terminal, which Scripts/pictures draws from Tests/Terminal.
@Suite struct TerminalTests {
    /// Reads the text of a picture: the lines of a file without the first one, which is the picture's title.
    private func text(of picture: String) throws -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.appending(path: "Terminal/\(picture).txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return lines.dropFirst().joined(separator: "\n")
    }

    /// The line that an app prints if the request fails.
    private func failure(of request: some APIRequest, from stub: StubClient) async -> String {
        do {
            _ = try await stub.send(request)
            return "no error"
        } catch {
            return error.localizedDescription
        }
    }

    @Test func errors() async throws {
        let missing = StubClient(.json(#"{"message":"Not Found","status":"404"}"#, status: 404))
        let other = StubClient(.json(#"[{"id":1,"login":"mojombo"},{"id":"2","login":"defunkt"}]"#))
        let slow = StubClient(clock: ManualClock(skippingSleep: true))
            .answering(UsersRequest.self, with: .json("[]").delayed(by: .seconds(90)))
        let refused = StubClient(.json(#"{"error":"invalid_grant","refresh_token":"8xLOxBtZp8"}"#, status: 400))
        let lines = [
            await failure(of: UserRequest(login: "nobody"), from: missing),
            await failure(of: UsersRequest(), from: other),
            await failure(of: UsersRequest(), from: slow),
            await failure(of: RefreshRequest(token: "8xLOxBtZp8"), from: refused),
        ]
        #expect(try lines.joined(separator: "\n") == text(of: "errors"))
    }

    @Test func difference() throws {
        let expected = HTTPRequest(
            method: .put, url: URL(string: "https://shop.example.com/v2/items?version=20261101")!,
            headers: [.accept: "application/json", "X-Shop-Key": "a1b2"],
            body: .data(Data(#"{"name": "Chair", "links": {"thumb": null}}"#.utf8), contentType: .json))
        let request = AddItemRequest(name: "Table", photo: URL(string: "https://img.example.com/7.png"))
        let difference = try request.httpRequest().difference(from: expected)
        #expect(try difference?.description == text(of: "difference"))
    }
}
