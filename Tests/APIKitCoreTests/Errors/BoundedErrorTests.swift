import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// A server's text in an error, however long it is.
@Suite struct BoundedErrorTests {
    /// What `LONG` stands for in the arguments, which a test prints.
    private static let long = String(repeating: "a", count: 10_000)
    private static let limit = 8000

    private struct Item: JSONResponse { let id: [String: Int] }

    private struct Items: JSONRequest {
        typealias Response = [Item]
        typealias Failure = String
        let base: APIBase = "https://api.example.com"
        let path: URLPath = "items"
    }

    private struct Words: APIRequest {
        typealias Response = String
        typealias Failure = String
        let base: APIBase = "https://api.example.com"
        let path: URLPath = "words"
    }

    @Test(
        arguments: [
            (302, ["Location": "LONG:x"]), (302, ["Location": "ftp://example.com/LONG"]),
            (302, ["Location": "https://example.com:LONG/"]), (302, ["Location": "//LONG@example.com/"]),
            (302, ["Location": "/LONG?password=LONG"]), (302, ["Location": "/LONG"]),
            (302, ["Location": "LONG"]), (302, ["Location": "/a, /LONG"]),
            (200, ["Content-Encoding": "LONG"]), (200, ["Content-Length": "LONG"]),
            (200, ["Content-Type": "text/LONG"]),
            (200, ["Content-Type": "text/plain; charset=LONG"]), (200, ["Content-Type": "LONG"]),
            (404, ["X-Long": "LONG"]),
        ] as [(Int, [String: String])])
    func headersAreBounded(status: Int, headers: [String: String]) async throws {
        var fields = HTTPHeaders()
        for (name, value) in headers {
            fields.append(value.replacing("LONG", with: Self.long), for: HTTPHeaders.Name(stringLiteral: name))
        }
        let (head, body) = (fields, Data(Self.long.utf8))
        let client = StubClient { _ in .status(status, headers: head, body: body) }
        do {
            _ = try await client.send(Words())
        } catch {
            #expect(error.localizedDescription.utf8.count < Self.limit, "\(error.localizedDescription.utf8.count)")
        }
    }

    @Test(arguments: [
        #"[{"id": {"LONG": "x"}}]"#, #"[{"id": {"a": "LONG"}}]"#, #"[{"id": "LONG"}]"#, #"[{"id": 1LONG}]"#,
        #"{"LONG": 1}"#, "LONG", #"[{"id": {"ACCENTS": "x"}}]"#,
    ])
    func bodiesAreBounded(body: String) async throws {
        let body = body.replacing("LONG", with: Self.long)
            .replacing("ACCENTS", with: "e" + String(repeating: "\u{301}", count: 10_000))
        let client = StubClient { _ in .json(body) }
        let error = await #expect(throws: (any Error).self) { try await client.send(Items()) }
        let text = error?.localizedDescription ?? ""
        #expect(!text.isEmpty && text.utf8.count < Self.limit, "\(text.utf8.count)")
    }

    @Test func secretAtTheCutIsMasked() throws {
        let start = String(repeating: "b", count: 980)
        let error = TransportError(.badResponse, "\(start) password=hunter2hunter2hunter2")
        #expect(!error.description.contains("hunter2"))
    }
}
