import APIKit
import APIKitRecording
import APIKitTesting
import Testing

// The code of the article about recordings, and of their doc comments, unchanged. It is compiled and not run.

struct RecordingSnippets {
    func recordAndReplay() async throws {
        let har = HARFile(URL(fileURLWithPath: "Fixtures/search.har"))
        let online = URLSession.api.recording(to: har)
        let recorded = try await online.send(SearchRequest(text: "Lamp"))

        let client = try ReplayClient(har)
        #expect(try await client.send(SearchRequest(text: "Lamp")) == recorded)
        #expect(client.unusedEntries == [])
    }

    func nameSecrets() {
        let har = HARFile(
            URL(fileURLWithPath: "Fixtures/licenses.har"),
            secretNames: ["badge"], harmlessNames: ["key", "code"])
        print(har.url)
    }

    func record() async throws {
        let har = HARFile(URL(fileURLWithPath: "Fixtures/users.har"))
        let client = URLSession.api.recording(to: har)
        _ = try await client.send(UsersRequest())
    }

    func replay() async throws {
        let client = try ReplayClient(HARFile(URL(fileURLWithPath: "Fixtures/users.har")))
        let users = try await client.send(UsersRequest())
        #expect(client.unusedEntries == [])
        print(users)
    }

    func recordThenReplay() async throws {
        let har = HARFile(URL(fileURLWithPath: "Fixtures/users.har"))
        let users = try await URLSession.api.recording(to: har).send(UsersRequest())
        let replayed = try await ReplayClient(har).send(UsersRequest())
        print(users, replayed)
    }
}
