import Foundation
import Testing

@testable import APIKitTools

@Suite struct RecordingTests {
    @Test(
        arguments: [
            ("Browser", ["DELETE /users/{id}", "GET /users", "GET /users/{id}", "POST /users"]),
            ("Masked", ["GET /keys", "GET /keys/{id}"]),
            ("CurlTools", ["GET /health", "GET /jobs/{id}"]),
            (
                "Slugs",
                [
                    "GET /orders/open", "GET /users/me", "GET /users/{user}", "GET /users/{user}/repos",
                    "PUT /users/{user}",
                ]
            ),
            ("Hashes", ["GET /commits/{id}", "GET /days/{id}", "GET /teams/{team_id}/members/{id}"]),
            ("Login", ["GET /me", "GET /me/avatar", "POST /session"]),
            ("Shapes", ["GET /counts", "GET /things/{id}"]),
            ("Graph", ["GET /events", "POST /graphql"]),
            ("Hosts", ["GET /files/{id}/info", "GET /items/{id}"]),
            ("Django", ["GET /books/", "GET /books/{id}/", "POST /books/{id}/cover/"]),
        ] as [(String, [String])])
    func findsTheEndpoints(_ name: String, _ endpoints: [String]) throws {
        try withOutput(of: name) { folder, summary in
            let plan = try Generation(name: name).prepared(folder.appending(path: "session.har")).plan
            #expect(plan.api.endpoints.map { "\($0.method) /\(plan.path(of: $0))" }.sorted() == endpoints)
            #expect(summary.written == endpoints.count)
        }
    }

    /// The package also compiles these files and runs the tests among them. If a change is meant, write them again:
    /// `swift run --package-path Tools apikit endpoints Tools/Tests/Descriptions/session.har --into
    /// Tools/Tests/Recorded
    /// --tests Tools/Tests/RecordedTests`.
    @Test func generatesTheFilesThatAreCheckedIn() throws {
        let har = GoldenTests.tests.appending(path: "Descriptions/session.har")
        let (plan, samples) = try Generation(name: "Recorded").prepared(har)
        let sources = try SourceWriter(plan: plan, filter: Filter([])).files()
        let tests = try TestWriter(plan: plan, samples: samples, filter: Filter([])).files()
        #expect(sources.count + tests.count == 11)
        for (folder, file) in sources.map({ ("Recorded", $0) }) + tests.map({ ("RecordedTests", $0) }) {
            let url = GoldenTests.tests.appending(path: "\(folder)/\(file.path)")
            #expect(try String(contentsOf: url, encoding: .utf8) == file.text, "\(file.path)")
        }
    }

    @Test func namesWhatIsSkippedAndWhichCredentialsAreExpected() throws {
        try withOutput(of: "Browser") { folder, summary in
            #expect(
                summary.notes == [
                    "skipped: 1 credential in a cookie, which clients do not add: sid, session.har",
                    "skipped: 1 × images, session.har", "skipped: 1 × pages, session.har",
                    "skipped: 1 × preflight requests, session.har", "skipped: 1 × scripts, session.har",
                ])
            let base = try String(
                contentsOf: folder.appending(path: "Sources/Browser/BrowserAPI.swift"), encoding: .utf8)
            #expect(base.contains("/// The API expects a bearer token, or the cookie sid:\n"))
            #expect(base.contains("authorized(by: .browser(token: token), for: .browser)"))
        }
    }

    @Test func whatVariesIsAParameterAndWhatNeverDoesADefault() throws {
        try withOutput(of: "Browser") { folder, _ in
            let path = "Sources/Browser/Endpoints/UsersRequest.swift"
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            #expect(text.contains("var page = 1"))
            #expect(text.contains("var perPage = 30"))
        }
    }

    @Test func headerThatDiffersInEachRequestIsInTheSummary() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let request = #"""
            {"method": "POST", "url": "https://a.example/pays", "headers": [{"name": "Idempotency-Key", "value": "k"}]}
            """#
        let response = #"{"status": 200, "content": {"mimeType": "application/json", "text": "{}"}}"#
        let entry = #"{"request": \#(request), "response": \#(response)}"#
        try Data(#"{"log": {"entries": [\#(entry)]}}"#.utf8).write(to: file)
        let plan = try Generation(name: "Pay").prepared(file).plan
        #expect(plan.api.notes.map(\.text) == ["header Idempotency-Key of POST /pays"])
        #expect(plan.endpoints.flatMap(\.endpoint.parameters).isEmpty)
    }

    @Test func memberThatIsNullOrAbsentIsOptional() throws {
        try withOutput(of: "Shapes") { folder, _ in
            let path = "Sources/Shapes/Endpoints/ThingRequest.swift"
            let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            for line in [
                "let owner: Owner?", "let byID: [String: ByID]?", "let size: Double", "let tags: [String]",
                "let value: JSONValue",
            ] { #expect(text.contains("    \(line)\n"), "\(line)") }
        }
    }

    @Test func correctsADescription() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let description = #"""
            {"openapi": "3.0.0", "servers": [{"url": "https://shop.example/api/v2"}], "paths": {"/users/{id}": {"get": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "responses": {"200": {"content": {"application/json": {"schema": {"type": "object",
            "required": ["id", "name", "email"],
            "properties": {"id": {"type": "integer"}, "name": {"type": "string"}, "email": {"type": "string"}}}}}}}}}}}
            """#
        let files = ["api.json": description, "session.har": Recordings.browser]
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        var generation = try Generation(name: "Shop")
        generation.recording = folder.appending(path: "session.har")
        let summary = try generation.run(folder.appending(path: "api.json"), into: folder.appending(path: "Shop"))
        let text = try String(
            contentsOf: folder.appending(path: "Shop/Endpoints/UserRequest.swift"), encoding: .utf8)
        #expect(text.contains("let email: String?\n"))
        #expect(text.contains("let name: String\n"))
        #expect(
            summary.notes.contains {
                $0.hasPrefix("corrected: email is optional, as the recording shows, api.json, line ")
            })
    }

    @Test(arguments: ["", "[]", "{}", #"{"log": {"entries": 7}}"#, #"{"log": {"entries": [7, {"request": []}]}}"#])
    func brokenRecordingIsATypedError(_ text: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: DescriptionError.self) { try Generation(name: "A").prepared(file) }
    }

    @Test func responseWithOneMemberHasATest() throws {
        let har = #"""
            {"log": {"entries": [{"request": {"method": "GET", "url": "https://a.example/user", "headers": []},
            "response": {"status": 200, "headers": [], "content": {"mimeType": "application/json",
            "text": "{\"the_user\": {\"id\": 1}}"}}}]}}
            """#
        let folder = try TemporaryFolder()
        let file = try folder.write(har, to: "a.har")
        let (plan, samples) = try Generation(name: "A").prepared(file)
        let tests = try TestWriter(plan: plan, samples: samples, filter: Filter([])).files().map(\.text).joined()
        let sources = try SourceWriter(plan: plan, filter: Filter([])).files()
        #expect(sources.contains { $0.text.contains("JSONEnvelope {") })
        #expect(tests.contains("Response.process(data: Data(response.utf8))"))
    }

    @Test(arguments: Recordings.all.map(\.name))
    func writesNoSecret(_ name: String) throws {
        try withOutput(of: name) { folder, summary in
            let texts = try Self.files(in: folder).map { try String(contentsOf: $0, encoding: .utf8) } + summary.notes
            #expect(texts.count > 2)
            for secret in Recordings.secrets { #expect(texts.allSatisfy { !$0.contains(secret) }, "\(secret)") }
            // `APIKIT_RECORDINGS=/tmp/x` keeps what is generated, to compile and run it.
            if let kept = ProcessInfo.processInfo.environment["APIKIT_RECORDINGS"] {
                for part in ["Sources/\(name)", "Tests/\(name)Tests"] {
                    let target = URL(filePath: kept).appending(path: part)
                    try FileManager.default.createDirectory(
                        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try? FileManager.default.removeItem(at: target)
                    try FileManager.default.copyItem(at: folder.appending(path: part), to: target)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(10))) func noMutatedRecordingCrashesOrHangs() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let hostile = ["null", "{}", "[]", "1e999", "-1", "\"\"", "\"{}/\"", "\"%zz\"", "\"http://\"", "\"https://h\""]
        var state: UInt64 = 7
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for recording in Recordings.all {
            let values = recording.har.matches(of: /"[^"]*"|\d+|\[[^\[\]]*\]/).map(\.range)
            for _ in 0..<40 {
                var text = recording.har
                text.replaceSubrange(values[random(values.count)], with: hostile[random(hostile.count)])
                try Data(text.utf8).write(to: file)
                guard let (plan, samples) = try? Generation(name: recording.name).prepared(file) else { continue }
                _ = try SourceWriter(plan: plan, filter: Filter([])).files()
                _ = try TestWriter(plan: plan, samples: samples, filter: Filter([])).files()
            }
        }
    }

    static func files(in folder: URL) -> [URL] {
        let all =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
        return all.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    }

    private func withOutput(of name: String, _ check: (URL, Generation.Summary) throws -> Void) throws {
        let har = try #require(Recordings.all.first { $0.name == name }?.har)
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "session.har")
        try Data(har.utf8).write(to: file)
        var generation = try Generation(name: name)
        generation.tests = folder.appending(path: "Tests/\(name)Tests")
        let summary = try generation.run(file, into: folder.appending(path: "Sources/\(name)"))
        try check(folder, summary)
    }
}
