import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitClients

@Suite struct ObservedTests {
    private let events = Recorder<RequestEvent>()
    private let lines = Recorder<String>()

    @Test func reportsResponse() async throws {
        let client = StubClient(.json("[]")).observed { events.append($0) }
        try await client.send(AccountsRequest(since: 46))
        let event = try #require(events.values.first)
        #expect(events.values.count == 1)
        #expect(try event.result.get().head.status == 200)
        #expect(event.request.url.absoluteString == "https://api.example.com/accounts?since=46")
        #expect(event.call.endpoint is AccountsRequest)
        #expect(event.bytesReceived == 2)
        #expect(event.duration >= .zero)
    }

    @Test func reportsError() async throws {
        let client = ImmediateClient { _ in throw TransportError(.connectionLost) }.observed { events.append($0) }
        _ = try await client.failure(of: AccountsRequest())
        let event = try #require(events.values.first)
        #expect(throws: TransportError.self) { try event.result.get() }
        #expect(event.bytesReceived == nil)
        #expect(event.description.hasPrefix("GET https://api.example.com/accounts: "))
    }

    @Test func reportsEverySending() async throws {
        let engine = BreakingEngine()
        _ = try await engine.observed { events.append($0) }.failure(of: AccountsRequest())
        #expect(engine.sendings.values == [false, true])
        #expect(events.values.count == 2)
        #expect(events.values.allSatisfy { (try? $0.result.get()) == nil })
        // Outside of a client that repeats, there is one event.
        _ = try await engine.retrying(.backoff(attempts: 3, initialDelay: .zero)).observed { events.append($0) }
            .failure(of: AccountsRequest())
        #expect(engine.sendings.values.count == 5)
        #expect(events.values.count == 3)
    }

    @Test func reportsEveryHop() async throws {
        let base = ScriptedClient(.status(302, headers: [.location: "/elsewhere"]), .json("[]"))
        try await base.observed { events.append($0) }.send(AccountsRequest())
        #expect(events.values.map { try? $0.result.get().head.status } == [302, 200])
    }

    /// The stream of a response of these pieces, observed.
    private func stream(_ bytes: ByteStream) async throws -> ByteStream {
        let head = HTTPResponse.Head(status: 200, url: URL(string: "https://api.example.com/")!)
        return try await ImmediateClient(HTTPResponse(head: head, body: ResponseBody(bytes)))
            .observed { events.append($0) }.send(Endpoint<ByteStream, Data>())
    }

    @Test func reportsStreamAtItsEnd() async throws {
        let stream = try await stream(ByteStream([Data("ab".utf8), Data("c".utf8)]))
        #expect(events.values.isEmpty)
        #expect(try await stream.data(upTo: 10) == Data("abc".utf8))
        #expect(events.values.map(\.bytesReceived) == [3])
        #expect(events.values.first?.streamError == nil)
    }

    @Test func reportsStreamThatIsLeft() async throws {
        for try await _ in try await stream(ByteStream([Data("ab".utf8), Data("c".utf8)])) { break }
        #expect(events.values.map(\.bytesReceived) == [2])
    }

    @Test func reportsStreamThatBreaks() async throws {
        let stream = try await stream(ByteStream(Chunks("ab", failure: TransportError(.connectionLost))))
        await #expect(throws: APIError<Data>.self) { try await stream.data(upTo: 10) }
        #expect(events.values.count == 1)
        #expect((events.values.first?.streamError as? TransportError)?.code == .connectionLost)
        #expect(events.values.first?.description.contains("2 bytes") == true)
    }

    @Test func eventDoesNotHoldTheProgressClosure() async throws {
        try await StubClient(.json("[]")).observed { events.append($0) }.send(
            AccountsRequest(), progress: .anywhere { _ in })
        #expect(events.values.map { $0.call.reportsProgress } == [false])
    }

    @Test func logsOneLine() async throws {
        try await StubClient(.json("[]")).logged { lines.append($0) }.send(AccountsRequest(since: 46))
        let line = try #require(lines.values.first)
        #expect(isOneLine(line))
        #expect(line.hasPrefix("GET https://api.example.com/accounts?since=46: 200, 2 bytes, "))
    }

    @Test(arguments: [(false, false), (true, false), (false, true), (true, true)] as [(Bool, Bool)])
    func logsHoldNoSecret(headers: Bool, bodies: Bool) async throws {
        let secret = "s3cr3t"
        let body = #"{"access_token":"\#(secret)","id":1}"#
        let responses = [
            HTTPResponse.json(body, headers: ["Set-Cookie": "session=\(secret); Path=/"]),
            .status(401, headers: [.location: "https://u:\(secret)@api.example.com/?api_key=\(secret)"]),
        ]
        let request = Endpoint<Data, Data>(
            base: APIBase(URL(string: "https://api.example.com/?token=\(secret)")!), path: "login", method: .post,
            headers: [.authorization: "Bearer \(secret)", .cookie: "a=\(secret)", "X-API-Key": secret],
            body: .form(["user": "me", "password": secret]))
        for response in responses {
            _ = try? await ScriptedClient(response).logged(headers: headers, bodies: bodies) { lines.append($0) }.send(
                request)
        }
        let failing = ImmediateClient { request in
            throw TransportError(.connectionLost, "https://api.example.com/?token=\(secret)", request: request)
        }
        _ = try? await failing.logged(headers: headers, bodies: bodies) { lines.append($0) }.send(AccountsRequest())
        #expect(lines.values.count == 3)
        #expect(!lines.values.contains { $0.contains(secret) })
        #expect(lines.values.allSatisfy { $0.contains("https://api.example.com/") })
        if bodies { #expect(lines.values.contains { $0.contains("user=me") && $0.contains("\"id\":1") }) }
        if headers { #expect(lines.values.contains { $0.contains("Authorization: ***") }) }
    }
}
