import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// What becomes of a body that is no data, where an endpoint refuses it or breaks on it.
@Suite(.timeLimit(.minutes(10))) struct APIClientSendStreamsTests {
    private struct Trouble: Error {}

    /// Reads as much as told, and throws.
    private struct Unread: APIResponse {
        static var delivery: ResponseBody.Delivery { .stream }
        static func process(data: Data) throws -> Unread { throw Trouble() }
        static func process(response: HTTPResponse) async throws -> Unread { throw Trouble() }
    }

    private let ended = Recorder<Bool>()

    private func client(_ text: String = "abc", status: Int = 200, failure: (any Error)? = nil) -> ImmediateClient {
        ImmediateClient { [ended] request in
            let chunks = Chunks(chunks: [Data(text.utf8)], failure: failure, lease: Lease { ended.append(true) })
            let head = HTTPResponse.Head(status: status, url: request.url)
            return HTTPResponse(head: head, body: ResponseBody(ByteStream(chunks)))
        }
    }

    /// An error that is kept keeps neither stream nor file.
    private func expectReleased<Failure>(_ error: APIError<Failure>) {
        #expect(ended.values == [true])
        #expect(error.response?.body.data == nil)
        #expect(error.response?.body.file == nil)
        withExtendedLifetime(error) {}
    }

    @Test func anUnreadableAnswerKeepsNoStream() async throws {
        let error = try await client().failure(of: Endpoint<Unread, Data>())
        #expect(error.unreadable?.error is Trouble)
        expectReleased(error)
        #expect(try await error.response?.body.bytes.collected().isEmpty == true)
        #expect(!error.description.contains("Optional"))
        // Bytes in memory are kept.
        let other = try await ImmediateClient(.text("abc")).failure(of: Endpoint<Unread, Data>())
        #expect(other.response?.body.data == Data("abc".utf8))
    }

    @Test func anAnswerThatBreaksInAnotherWayIsUnreadable() async throws {
        let error = try await client("{", failure: Trouble()).failure(of: Endpoint<Account, Data>())
        #expect(error.unreadable?.error is Trouble)
        expectReleased(error)
    }

    @Test(
        arguments: [
            (#"{"message":"no"}"#, nil, DirectoryError(message: "no")), ("{", TransportError(.connectionLost), nil),
        ] as [(String, TransportError?, DirectoryError?)])
    func aRefusedAnswerKeepsNoStream(text: String, failure: TransportError?, model: DirectoryError?) async throws {
        let client = client(text, status: 404, failure: failure)
        let error = try await client.failure(of: Endpoint<Unread, DirectoryError>())
        #expect(error.status == 404)
        #expect(error.rejection != nil)
        #expect(error.rejection?.failure == model)
        expectReleased(error)
    }

    @Test func anAnswerThatBreaksKeepsNoStream() async throws {
        let client = client("{", failure: TransportError(.connectionLost))
        let error = try await client.failure(of: Endpoint<Account, Data>())
        let transport = try #require(error.transport)
        #expect(transport.code == .connectionLost)
        #expect(transport.method == .get)
        #expect(transport.url?.absoluteString == "https://api.example.com/things")
        expectReleased(error)
    }

    @Test func anErrorKeepsNoFile() async throws {
        let urls = Recorder<URL>()
        let client = ImmediateClient { request in
            let file = try TemporaryFile()
            try file.write(Data("hunter2".utf8))
            urls.append(file.url)
            let status = request.method == .get ? 200 : 404
            return HTTPResponse(
                head: HTTPResponse.Head(status: status, url: request.url), body: ResponseBody(file.ownedFile))
        }
        for method in [HTTPMethod.get, .post] {
            let error = try await client.failure(of: Endpoint<Account, DirectoryError>(method: method))
            #expect(error.response?.body.file == nil)
            #expect(!error.description.contains("hunter2"))
        }
        #expect(urls.values.map(\.exists) == [false, false])
    }

    @Test func theModelKeepsItsStream() async throws {
        let stream = try await client().send(Endpoint<ByteStream, Data>())
        #expect(ended.values.isEmpty)
        #expect(try await stream.data(upTo: 3) == Data("abc".utf8))
    }
}
