import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

@Suite(.timeLimit(.minutes(10))) struct JSONOrEventsTests {
    private enum Message: Decodable, Hashable, EventModel {
        case progress(Int)
        case result(String)

        static var rules: EventRules<Message> {
            EventRules(
                ["message": .decoded { $0 }], end: .member("result"), failure: .member("message"),
                longestGap: .seconds(60))
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            if let result = try members.decodeIfPresent(String.self, forKey: .result) {
                self = .result(result)
            } else {
                self = .progress(try members.decode(Int.self, forKey: .progress))
            }
        }

        private enum Member: CodingKey { case progress, result }
    }

    private typealias Call = Endpoint<JSONOrEvents<Message>, DirectoryError>

    private func stub(_ body: String, type: String?, status: Int = 200) -> StubClient {
        StubClient(.status(status, headers: [.contentType: type], body: Data(body.utf8)))
    }

    private func values(_ body: String, type: String?, status: Int = 200) async throws -> [Message] {
        try await stub(body, type: type, status: status).send(Call()).collected()
    }

    @Test func acceptsBothAndIsStreamed() throws {
        let request = try Call().httpRequest()
        #expect(request.headers[.accept] == "application/json, text/event-stream")
        #expect(request.delivery == .stream)
    }

    @Test(arguments: ["text/event-stream", nil]) func readsEvents(type: String?) async throws {
        let body = "data: {\"progress\": 1}\n\n: ping\n\ndata: {\"result\": \"a\"}\n\ndata: {\"progress\": 2}\n\n"
        #expect(try await values(body, type: type) == [.progress(1), .result("a")])
    }

    @Test(arguments: ["application/json; charset=utf-8", "application/vnd.shop+json"])
    func jsonIsOneValue(type: String) async throws {
        #expect(try await values("{\n\"result\": \"a\"\n}", type: type) == [.result("a")])
    }

    @Test func jsonNeedsNoEnd() async throws {
        #expect(try await values(#"{"progress": 1}"#, type: "application/json") == [.progress(1)])
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await values("data: {\"progress\": 1}\n\n", type: "text/event-stream")
        }
        #expect(error.transportError?.code == .connectionLost)
    }

    @Test(
        arguments: [
            (#"{"message": "full"}"#, "application/json"), ("data: {\"message\": \"full\"}\n\n", "text/event-stream"),
        ] as [(String, String)])
    func failureIsThatOfTheEndpoint(body: String, type: String) async throws {
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await values(body, type: type) }
        guard case .rejected(let failure, let response) = error else { throw error }
        #expect(failure == DirectoryError(message: "full"))
        #expect(response.head.status == 200)
        #expect(response.body.text == #"{"message": "full"}"#)
    }

    @Test func aFailureOfTheStatusIsThrownBySend() async throws {
        let stub = stub(#"{"message": "full"}"#, type: "application/json", status: 507)
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await stub.send(Call()) }
        #expect(error.status == 507)
    }

    @Test(arguments: ["", "{", #"{"other": 1}"#]) func unreadableJSONIsAnError(body: String) async throws {
        let error = try await #require(throws: DirectoryFailure.self) {
            _ = try await values(body, type: "application/json")
        }
        guard case .unreadable = error else { throw error }
    }

    @Test func anotherTypeIsAnError() async throws {
        let error = try await #require(throws: DirectoryFailure.self) { _ = try await values("<p>", type: "text/html") }
        #expect(error.description.contains("the Content-Type is text/html"))
    }

    @Test(arguments: [" \n{\"progress\": 1}", "data: {\"progress\": 1}\n\ndata: {\"result\": \"a\"}\n\n"])
    func bytesInMemoryAreJSONOrEvents(body: String) async throws {
        let values = try await JSONOrEvents<Message>.process(data: Data(body.utf8)).collected()
        #expect(values.first == .progress(1))
    }

    @Test func noContentHasNoValues() async throws {
        #expect(try await values("", type: "application/json", status: 204) == [])
    }
}
