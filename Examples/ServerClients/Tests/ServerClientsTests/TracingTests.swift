import APIKit
import APIKitTesting
import InMemoryTracing
import ServerClients
import Testing
import Tracing

@Suite struct TracingTests {
    private let tracer = InMemoryTracer()

    /// The values of an attribute, span by span, in the order of their ends.
    private func values(of attribute: String) -> [String?] {
        tracer.finishedSpans.map { span -> String? in
            switch span.attributes.get(attribute) {
            case .string(let text)?: text
            case .int64(let number)?: "\(number)"
            default: nil
            }
        }
    }

    @Test func spanFollowsTheConventions() async throws {
        try await StubClient(.json("[]")).traced(by: tracer).send(UserRequest())
        let span = try #require(tracer.finishedSpans.first)
        let attributes: SpanAttributes = [
            "http.request.method": "GET", "url.template": "/users/{login}", "server.address": "api.example.com",
            "server.port": 443, "http.response.status_code": 200, "api.endpoint": "UserRequest",
        ]
        #expect(tracer.finishedSpans.count == 1)
        #expect(span.operationName == "GET /users/{login}")
        #expect(span.kind == .client)
        #expect(span.attributes == attributes)
        #expect(span.status == nil)
    }

    @Test(arguments: [(304, nil), (404, "404"), (503, "503")] as [(Int, String?)])
    func statusFrom400IsAnError(status: Int, errorType: String?) async throws {
        _ = try? await StubClient(.status(status)).traced(by: tracer).send(UserRequest())
        #expect(values(of: "http.response.status_code") == ["\(status)"])
        #expect(values(of: "error.type") == [errorType])
        #expect(tracer.finishedSpans.map { $0.status?.code == .error } == [errorType != nil])
    }

    @Test func attemptsAreChildrenOfTheirCall() async throws {
        try await StubClient.flaky.traced(by: tracer).retrying().traced(.call, by: tracer).send(UserRequest())
        let spans = tracer.finishedSpans
        let call = try #require(spans.last)
        let kinds: [SpanKind] = [.client, .client, .client, .internal]
        #expect(spans.map(\.kind) == kinds)
        #expect(spans.dropLast().allSatisfy { $0.parentSpanID == call.spanID })
        #expect(values(of: "http.request.resend_count") == [nil, "1", "2", nil])
        #expect(values(of: "error.type") == ["503", "timedOut", nil, nil])
        #expect(values(of: "http.response.status_code") == ["503", nil, "200", "200"])
    }

    @Test func requestsOfOtherEndpointsAreNotAttempts() async throws {
        let traced = StubClient(.json("[]")).traced(by: tracer)
        let refreshing = traced.intercepted { request, _, next in
            try await traced.send(TokenRequest())
            return try await next(request)
        }
        try await refreshing.traced(.call, by: tracer).send(UserRequest())
        #expect(values(of: "api.endpoint") == ["TokenRequest", "UserRequest", "UserRequest"])
        #expect(values(of: "http.request.resend_count") == [nil, nil, nil])
    }

    @Test func hopsAreSpans() async throws {
        let stub = StubClient().answering(
            UserRequest.self, once: .status(302, headers: [.location: "/users/\(secret)"]), .json("[]"))
        try await stub.traced(by: tracer).retrying().traced(.call, by: tracer).send(UserRequest())
        let kinds: [SpanKind] = [.client, .internal, .client, .internal]
        #expect(tracer.finishedSpans.map(\.kind) == kinds)
        #expect(values(of: "http.response.status_code") == ["302", "302", "200", "200"])
        #expect(values(of: "http.request.resend_count") == [nil, nil, "1", nil])
        #expect(values(of: "url.template").allSatisfy { $0 == "/users/{login}" })
    }

    @Test func countsWhatAnEngineSendsAgain() async throws {
        _ = try? await BreakingEngine().traced(by: tracer).send(UserRequest())
        #expect(values(of: "error.type") == ["connectionLost"])
        #expect(values(of: "http.request.resend_count") == ["1"])
    }

    @Test func sendsTheContextOfTheAttempt() async throws {
        let stub = StubClient(.json("[]"))
        try await stub.traced(by: tracer).traced(.call, by: tracer).send(UserRequest())
        let attempt = try #require(tracer.finishedSpans.first)
        let headers = try #require(stub.requests.first).headers
        #expect(headers["in-memory-trace-id"] == attempt.traceID)
        #expect(headers["in-memory-span-id"] == attempt.spanID)
    }

    @Test func usesTheCurrentTracer() async throws {
        _ = try await withTracer(tracer) { try await StubClient(.json("[]")).traced().send(UserRequest()) }
        #expect(tracer.finishedSpans.count == 1)
    }

    @Test func isAChildOfTheCurrentSpan() async throws {
        let client = StubClient(.json("[]")).traced(by: tracer)
        _ = try await tracer.withSpan("handler") { _ in try await client.send(UserRequest()) }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /users/{login}", "handler"])
        #expect(spans.first?.parentSpanID == spans.last?.spanID)
    }

    @Test func endsWithTheStream() async throws {
        let stub = StubClient().answering(
            StreamRequest.self, with: .stream("ab", "c", failingWith: TransportError(.connectionLost)))
        let stream = try await stub.traced(by: tracer).send(StreamRequest())
        #expect(tracer.finishedSpans.isEmpty)
        await #expect(throws: APIError<Data>.self) { try await stream.data(upTo: 10) }
        #expect(values(of: "http.response.status_code") == ["200"])
        #expect(values(of: "error.type") == ["connectionLost"])
    }

    @Test func endsWhenTheStreamIsReleased() async throws {
        let stub = StubClient().answering(StreamRequest.self, with: .stream("ab", "c"))
        for try await _ in try await stub.traced(by: tracer).send(StreamRequest()) { break }
        #expect(values(of: "error.type") == [nil])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test func spansHoldNoSecret() async {
        await sendSecrets { $0.traced(by: tracer).traced(.call, by: tracer) }
        #expect(tracer.finishedSpans.count == 6)
        for span in tracer.finishedSpans {
            #expect("\(span)".contains("/users/{login}/keys/{}"))
            #expect(!"\(span)".contains(secret))
            #expect(span.errors.isEmpty)
        }
    }
}

/// An engine whose connections break before any response.
private struct BreakingEngine: APIEngine {
    func transmit(_ exchange: Exchange) {
        guard exchange.begin(stop: {}) else { return }
        exchange.sent(total: 0)
        exchange.fail(TransportError(.connectionLost))
    }
}
