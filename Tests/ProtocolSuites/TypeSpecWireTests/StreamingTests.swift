import APIKit
import SuiteSupport
import Testing

/// Newline-delimited JSON and server-sent events.
@Suite struct StreamingTests {
    struct Info: JSONBody, Codable, EventModel, Equatable {
        let desc: String
    }

    private let infos = [Info(desc: "one"), Info(desc: "two"), Info(desc: "three")]

    // MARK: - Newline-delimited JSON

    struct SendLines: ServiceRequest {
        var infos: [Info]
        var method: HTTPMethod { .post }
        var path: URLPath { "streaming/jsonl/basic/send" }
        var body: RequestBody? { .jsonLines(infos, contentType: "application/jsonl") }
    }

    struct ReceiveLines: ServiceRequest {
        typealias Response = JSONLines<Info>
        var path: URLPath { "streaming/jsonl/basic/receive" }
    }

    @Test(.scenario("Streaming_Jsonl_Basic_send", "Streaming_Jsonl_Basic_receive"))
    func jsonLines() async throws {
        try await expect(
            SendLines(infos: infos), sends: "POST", "/streaming/jsonl/basic/send",
            headers: ["Content-Type": "application/jsonl"],
            .text(#"{"desc":"one"}"# + "\n" + #"{"desc":"two"}"# + "\n" + #"{"desc":"three"}"# + "\n"))
        try await expect(ReceiveLines(), sends: "GET", "/streaming/jsonl/basic/receive")
        let body = #"{"desc": "one"}"# + "\n" + #"{"desc": "two"}"# + "\n" + #"{"desc": "three"}"#
        let lines = try await reply(ReceiveLines(), body, headers: [.contentType: "application/jsonl"]).model
        var received: [Info] = []
        for try await info in lines { received.append(info) }
        #expect(received == infos)
    }

    // MARK: - Server-sent events

    /// Sends an endpoint to a server that returns these events, and returns all values.
    private func values<Value: EventModel>(
        of request: some APIRequest<JSONEvents<Value>>, _ body: String
    ) async throws -> [Value] {
        let stream = try await reply(request, body, headers: [.contentType: "text/event-stream"]).model
        var values: [Value] = []
        for try await value in stream { values.append(value) }
        return values
    }

    struct Unnamed: ServiceRequest {
        typealias Response = JSONEvents<Info>
        var path: URLPath { "streaming/sse/unnamed/receive" }
    }

    @Test(.scenario("Streaming_Sse_Unnamed_receive"))
    func eventsWithoutTypes() async throws {
        try await expect(
            Unnamed(), sends: "GET", "/streaming/sse/unnamed/receive", headers: ["Accept": "text/event-stream"])
        let received = try await values(
            of: Unnamed(),
            """
            data: {"desc": "one"}

            data: {"desc": "two"}

            data: {"desc": "three"}


            """)
        #expect(received == infos)
    }

    enum ResponseEvent: EventModel, Equatable {
        case created(id: String)
        case delta(String)

        struct Created: Decodable { let id: String }
        struct Delta: Decodable { let delta: String }

        static var rules: EventRules<ResponseEvent> {
            EventRules(
                [
                    "responseCreated": .decoded { (created: Created) in .created(id: created.id) },
                    "responseDelta": .decoded { (delta: Delta) in .delta(delta.delta) },
                ], end: .data("[DONE]"))
        }
    }

    struct Named: ServiceRequest {
        typealias Response = JSONEvents<ResponseEvent>
        var path: URLPath { "streaming/sse/named/receive" }
    }

    @Test(.scenario("Streaming_Sse_Named_receive"))
    func eventsWithTypes() async throws {
        try await expect(
            Named(), sends: "GET", "/streaming/sse/named/receive", headers: ["Accept": "text/event-stream"])
        let received = try await values(
            of: Named(),
            """
            event: responseCreated
            data: {"id": "resp_1"}

            event: responseDelta
            data: {"delta": "Hello"}

            event: responseDelta
            data: {"delta": " world"}

            data: [DONE]


            """)
        #expect(received == [.created(id: "resp_1"), .delta("Hello"), .delta(" world")])
    }

    enum SearchEvent: EventModel, Equatable {
        case partialResult(text: String)
        case finalResult(references: [String])

        struct Partial: Decodable { let text: String }
        struct Final: Decodable { let references: [String] }

        static var rules: EventRules<SearchEvent> {
            EventRules(
                [
                    "partialResult": .decoded { (result: Partial) in .partialResult(text: result.text) },
                    "finalResult": .decoded { (result: Final) in .finalResult(references: result.references) },
                ], end: .data("[DONE]"))
        }
    }

    struct Retrieve: ServiceRequest, JSONRequest {
        typealias Response = JSONEvents<SearchEvent>
        var text: String
        var method: HTTPMethod { .post }
        var path: URLPath { "streaming/sse/retrieve/stream" }
        var parameters: Parameters { ["query": text] }
    }

    @Test(.scenario("Streaming_Sse_Retrieve_stream"))
    func eventsOfAPost() async throws {
        let request = Retrieve(text: "what is typespec?")
        try await expect(
            request, sends: "POST", "/streaming/sse/retrieve/stream", headers: ["Accept": "text/event-stream"],
            .json(#"{"query": "what is typespec?"}"#))
        let received = try await values(
            of: request,
            """
            event: partialResult
            data: {"text": "partial one"}

            event: partialResult
            data: {"text": "partial two"}

            event: finalResult
            data: {"references": ["doc1", "doc2"]}

            data: [DONE]


            """)
        #expect(
            received == [
                .partialResult(text: "partial one"), .partialResult(text: "partial two"),
                .finalResult(references: ["doc1", "doc2"]),
            ])
    }
}
