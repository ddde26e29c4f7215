import APIKit
import APIKitRecording
import APIKitTesting
import Testing

@testable import AssistantKit

struct AssistantTests {
    @Test func modelsComeFromEachPage() async throws {
        let stub = StubClient().answering(
            ModelsRequest.self,
            once: .json(#"{"data": [{"id": "a"}], "next": "a"}"#), .json(#"{"data": [{"id": "b"}]}"#))
        var ids: [String] = []
        for try await model in Assistant(keys: ["k"], on: stub).models { ids.append(model.id) }
        #expect(ids == ["a", "b"])
        #expect(stub.requests(of: ModelsRequest.self).map(\.after) == [nil, "a"])
    }

    @Test func answerIsReadInPieces() async throws {
        let stub = StubClient().answering(
            .post, "/v1/chat/completions",
            with: .stream(
                #"data: {"choices": [{"delta": {"content": "It "}}]}"# + "\n\n",
                #"data: {"choices": [{"delta": {"content": "rains"}}]}"# + "\n\n", "data: [DONE]\n\n"
            ))
        var text = ""
        for try await piece in try await Assistant(keys: ["k"], on: stub).answer(to: "?") { text += piece }
        #expect(text == "It rains")
    }

    @Test(arguments: [
        #"{"error": {"message": "no", "code": "c"}}"#, #"{"error": "no"}"#, #"{"detail": "no"}"#,
    ])
    func eachShapeOfFailureIsRead(body: String) async throws {
        let stub = StubClient().answering(.post, "/v1/chat/completions", with: .json(body, status: 400))
        let error = await #expect(throws: AssistantError.self) {
            try await Assistant(keys: ["k"], on: stub).answer(to: "?")
        }
        #expect(error?.message == "no")
        #expect(error?.status == 400)
        #expect(error?.code == (body.contains("code") ? "c" : nil))
    }

    @Test func failureUnderA200IsThrown() async throws {
        let stub = StubClient().answering(BatchRequest.self, with: .json(#"{"error": "empty"}"#))
        let error = await #expect(throws: AssistantError.self) {
            try await Assistant(keys: ["k"], on: stub).submit([])
        }
        #expect(error?.message == "empty")
    }

    @Test func keyWhoseQuotaIsUsedUpIsReplaced() async throws {
        let stub = StubClient().answering(
            BatchRequest.self,
            once: .json(#"{"error": {"message": "", "code": "insufficient_quota"}}"#, status: 429), .status(401),
            .json(#"{"id": "1", "count": 2}"#))
        let batch = try await Assistant(keys: ["a", "b", "c"], on: stub).submit(["?", "!"])
        #expect(batch.count == 2)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer a", "Bearer b", "Bearer c"])
    }

    @Test func everyAttemptHasTheSameIdempotencyKey() async throws {
        let stub = StubClient().answering(
            BatchRequest.self, once: .status(503), .json(#"{"id": "1", "count": 1}"#))
        _ = try await Assistant(keys: ["k"], on: stub).submit(["?"])
        let keys = stub.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 2 && Set(keys).count == 1)
    }

    @Test func recordedSessionIsReplayed() async throws {
        let file = URL.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let server = StubClient().answering(BatchRequest.self, with: .json(#"{"id": "1", "count": 1}"#))
        let har = HARFile(file)
        let recording = server.recording(to: har)
        let recorded = try await Assistant(keys: ["hunter2"], on: recording).submit(["?"])
        let replayed = try await Assistant(keys: ["none"], on: ReplayClient(har)).submit(["?"])
        #expect(replayed.id == recorded.id)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("hunter2"))
    }

    @Test func requestsGoToTheGivenURL() async throws {
        let stub = StubClient().answering(BatchRequest.self, with: .json(#"{"id": "1", "count": 1}"#))
        let assistant = Assistant(keys: ["k"], at: "http://127.0.0.1:8080/v2", on: stub)
        _ = try await assistant.submit(["?"])
        #expect(stub.requests.map(\.url.absoluteString) == ["http://127.0.0.1:8080/v2/batches"])
    }
}
