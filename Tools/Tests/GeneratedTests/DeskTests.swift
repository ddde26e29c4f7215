import APIKit
import APIKitTesting
import Testing

/// The client in `Desk`, whose methods send the endpoints.
@Suite struct DeskTests {
    private static let ticket = #"{"id": 7, "title": "Lamp"}"#

    @Test func methodsSendTheirEndpoints() async throws {
        let stub = StubClient().answering(CreateTicketRequest.self, with: .json(Self.ticket))
        let desk = DeskClient(client: stub)
        let ticket = try await desk.tickets.create(
            accountID: 1, boardID: 2, title: "Lamp", kind: .bug, options: RequestOptions(timeout: .seconds(5)))
        #expect(ticket.title == "Lamp")
        let request = try #require(stub.requests.first)
        #expect(request.url.path() == "/v1/1/boards/2/tickets")
        #expect(request.body?.data.map { String(decoding: $0, as: UTF8.self) } == #"{"title":"Lamp","kind":"bug"}"#)
        #expect(request.options.timeout == .seconds(5))
    }

    @Test func methodsReturnContents() async throws {
        let stub = StubClient()
            .answering(TicketRequest.self, with: .json(#"{"ticket": \#(Self.ticket)}"#))
            .answering(DeleteTicketRequest.self, with: .status(204))
            .answering(CloseTicketRequest.self, with: .json(#"{"id": "r"}"#, status: 202))
        let tickets = DeskClient(client: stub).tickets
        #expect(try await tickets.get(accountID: 1, id: 7).id == 7)
        try await tickets.delete(accountID: 1, id: 7)
        guard case .accepted(let receipt) = try await tickets.close(accountID: 1, ticketID: 7) else {
            Issue.record("The status was 202")
            return
        }
        #expect(receipt.id == "r")
    }

    @Test func methodsThrowTheFailureOfTheAPI() async throws {
        let stub = StubClient().answering(CreateTicketRequest.self, with: .json(#"{"message": "full"}"#, status: 422))
        do throws(APIError<DeskFailure>) {
            _ = try await DeskClient(client: stub).tickets.create(accountID: 1, boardID: 2, title: "Lamp")
            Issue.record("The status was 422")
        } catch {
            guard case .rejected(let failure, _) = error else { throw error }
            #expect(failure?.message == "full")
        }
    }

    @Test func streamsAreReturnedAsTheyAre() async throws {
        let events = "data: {\"text\": \"a\"}\n\ndata: {\"text\": \"b\"}\n\n"
        let stub = StubClient().answering(
            WatchTicketRequest.self,
            with: .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.utf8)))
        var texts: [String] = []
        for try await change in try await DeskClient(client: stub).tickets.watch(accountID: 1, ticketID: 7) {
            texts.append(change.text)
        }
        #expect(texts == ["a", "b"])
    }
}
