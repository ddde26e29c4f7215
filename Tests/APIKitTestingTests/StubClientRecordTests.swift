import APIKitClients
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct StubClientRecordTests {
    private let stub = StubClient(.json("[]"))

    private func post(_ body: RequestBody) -> HTTPRequest {
        HTTPRequest(.post, "https://api.example.com/things", body: body)
    }

    private func received(_ request: HTTPRequest) async throws -> HTTPRequest {
        _ = try await stub.perform(request)
        return try #require(stub.requests.last)
    }

    @Test func recordsWhatEndpointCreates() async throws {
        _ = try await stub.send(AccountsRequest(since: 3), progress: .anywhere { _ in })
        let recorded = try #require(stub.requests.first)
        #expect(recorded == (try AccountsRequest(since: 3).httpRequest()))
        #expect(stub.requests(of: AccountsRequest.self).map(\.since) == [3])
    }

    // The size of a file is measured when it is sent, and is part of equality.
    @Test func recordsBodiesAndTheirTypes() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("abc".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for body in [
            RequestBody.data(Data("abc".utf8), contentType: "image/png"), .file(file, contentType: "image/png"),
        ] {
            let recorded = try await received(post(body))
            #expect(recorded.body == body)
            #expect(recorded.headers == [.contentType: "image/png"])
        }
    }

    @Test func keepsStreamsWithoutTheirClosures() async throws {
        let released = Hold()
        func bodies() -> [RequestBody] {
            let lease = Lease { released.release() }
            let stream = RequestBody.stream(length: 3, contentType: "text/csv") {
                withExtendedLifetime(lease) { ByteStream([Data("abc".utf8)]) }
            }
            var form = MultipartForm()
            form.append("x", for: "title")
            form.append(FilePart(stream, filename: "a.csv"), for: "file")
            return [stream, .multipart(form)]
        }
        func send() async throws {
            for body in bodies() {
                let recorded = try await received(post(body))
                #expect(recorded.body == body)
                #expect(recorded.body?.length == body.length)
                #expect(recorded.body?.description == body.description)
                let error = await #expect(throws: TransportError.self) {
                    try await recorded.body?.bytes.data(upTo: 1_000)
                }
                #expect(error?.code == .requestBodyFailed)
                #expect("\(try #require(error))".contains("does not keep the bytes"))
            }
        }
        try await send()
        await released.wait()
        #expect(stub.requests.count == 2)
        let other = RequestBody.stream(length: 3, contentType: "text/csv") { ByteStream([Data("abc".utf8)]) }
        #expect(stub.requests.first?.body != other)
    }

    // What a request holds is released once it has ended, and its stream is read or released.
    @Test(arguments: [
        StubClient { _ in .text("ab") }, StubClient(.text("ab")),
        StubClient().answering(.get, "/things", with: .stream("a", "b")),
        StubClient().answering(Endpoint<ByteStream, Data>.self, with: .model(ByteStream([Data("ab".utf8)]))),
    ])
    func releasesProgressClosure(stub: StubClient) async throws {
        let released = Hold()
        func send() async throws {
            let lease = Lease { released.release() }
            let bytes = try await stub.send(
                Endpoint<ByteStream, Data>(), progress: .anywhere { _ in withExtendedLifetime(lease) {} })
            for try await _ in bytes {}
        }
        try await send()
        await released.wait()
        await stub.start(Endpoint<ByteStream, Data>(), progress: .anywhere { _ in }).value
        #expect(stub.requests.count == 2)
    }

    @Test func everyHopIsRecordedWithoutCredentialsOfOtherHosts() async throws {
        let stub = StubClient(.json("[]"))
            .answering(.get, "/accounts", with: .status(302, headers: [.location: "https://other.example/x"]))
        let client = stub.adding(headers: [.authorization: "Bearer s3cret"])
        _ = try await client.send(AccountsRequest())
        #expect(stub.requests.map(\.url.path) == ["/accounts", "/x"])
        #expect(stub.requests(of: AccountsRequest.self).count == 2)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer s3cret", nil])
    }
}
