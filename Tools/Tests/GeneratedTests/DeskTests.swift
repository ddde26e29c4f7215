import APIKit
import APIKitTesting
import Testing

/// The client in `Desk`, whose methods send the endpoints.
@Suite struct DeskTests {
    private static let ticket = #"{"id": 7, "title": "Lamp"}"#

    @Test func methodsSendTheirEndpoints() async throws {
        let stub = StubClient().answering(CreateTicketRequest.self, with: .json(Self.ticket))
        let desk = DeskClient(accountID: 1, client: stub)
        let ticket = try await desk.tickets.create(
            boardID: 2, title: "Lamp", kind: .bug, options: RequestOptions(timeout: .seconds(5)))
        #expect(ticket.title == "Lamp")
        let request = try #require(stub.requests.first)
        #expect(request.url.path() == "/v1/1/boards/2/tickets")
        #expect(request.body?.data.map { String(decoding: $0, as: UTF8.self) } == #"{"title":"Lamp","kind":"bug"}"#)
        #expect(request.options.timeout == .seconds(5))
    }

    @Test func pathsOutsideOfTheAccountDoNotHaveIt() async throws {
        let stub = StubClient().answering(HealthRequest.self, with: .status(200, body: Data("fine".utf8)))
        #expect(try await DeskClient(accountID: 1, client: stub).health.get() == "fine")
        #expect(stub.requests.first?.url.path() == "/v1/health")
    }

    @Test func credentialsAreForTheAccount() async throws {
        let stub = StubClient().answering(BoardsRequest.self, with: .json("[]"))
        let client = stub.authorized(by: .desk(token: "t"), for: .desk(accountID: 1))
        _ = try await DeskClient(accountID: 1, client: client).boards.list()
        #expect(stub.requests.first?.headers[.authorization] == "Bearer t")
    }

    @Test func methodsReturnContents() async throws {
        let stub = StubClient()
            .answering(TicketRequest.self, with: .json(#"{"ticket": \#(Self.ticket)}"#))
            .answering(DeleteTicketRequest.self, with: .status(204))
            .answering(CloseTicketRequest.self, with: .json(#"{"id": "r"}"#, status: 202))
        let tickets = DeskClient(accountID: 1, client: stub).tickets
        #expect(try await tickets.get(id: 7).id == 7)
        try await tickets.delete(id: 7)
        guard case .accepted(let receipt) = try await tickets.close(ticketID: 7) else {
            Issue.record("The status was 202")
            return
        }
        #expect(receipt.id == "r")
    }

    @Test func methodsThrowTheFailureOfTheAPI() async throws {
        let stub = StubClient().answering(CreateTicketRequest.self, with: .json(#"{"message": "full"}"#, status: 422))
        do throws(APIError<DeskFailure>) {
            _ = try await DeskClient(accountID: 1, client: stub).tickets.create(boardID: 2, title: "Lamp")
            Issue.record("The status was 422")
        } catch {
            guard case .rejected(let failure, _) = error else { throw error }
            #expect(failure?.message == "full")
            #expect(failure?.localizedDescription == "full")
        }
    }

    @Test func listsReadPagesUpToALimit() async throws {
        let pages = (1...3).map { page in
            let next = page < 3 ? #", "next_cursor": "\#(page + 1)""# : ""
            return HTTPResponse.json(#"{"tickets": [\#(Self.ticket), \#(Self.ticket)]\#(next)}"#)
        }
        let stub = StubClient().answering(
            BoardTicketsRequest.self, once: .response(pages[0]), .response(pages[1]), .response(pages[2]))
        let tickets = DeskClient(accountID: 1, client: stub).tickets
        let list = try await tickets.listBoardTickets(boardID: 2, order: .newest, limit: 3)
        #expect(list.count == 3)
        #expect(list.hasMore)
        #expect(stub.requests.map { $0.url.query() ?? "" } == ["order=newest", "order=newest&cursor=2"])
    }

    @Test func eachRequestOfAListHasTheOptions() async throws {
        let link: HTTPHeaders = [.link: #"</v1/1/boards?page=2>; rel="next""#]
        let first = #"[{"id": 1, "name": "a"}]"#
        let stub = StubClient().answering(BoardsRequest.self, once: .json(first, headers: link), .json("[]"))
        let boards = DeskClient(accountID: 1, client: stub).boards
        _ = try await boards.list(limit: 50, options: .init(deadline: .seconds(600)))
        #expect(stub.requests.map(\.options.deadline) == [.seconds(600), .seconds(600)])
    }

    @Test func loopsReadAllPages() async throws {
        let link: HTTPHeaders = [.link: #"</v1/1/boards?page=2>; rel="next""#]
        let stub = StubClient().answering(
            BoardsRequest.self, once: .json(#"[{"id": 1, "name": "a"}]"#, headers: link),
            .json(#"[{"id": 2, "name": "b"}]"#))
        var names: [String] = []
        for try await board in DeskClient(accountID: 1, client: stub).boards.all() { names.append(board.name) }
        #expect(names == ["a", "b"])
    }

    @Test func streamsAreReturnedAsTheyAre() async throws {
        let events = "data: {\"text\": \"a\"}\n\ndata: {\"text\": \"b\"}\n\n"
        let stub = StubClient().answering(
            WatchTicketRequest.self,
            with: .status(200, headers: [.contentType: "text/event-stream"], body: Data(events.utf8)))
        var texts: [String] = []
        for try await change in try await DeskClient(accountID: 1, client: stub).tickets.watch(ticketID: 7) {
            texts.append(change.text)
        }
        #expect(texts == ["a", "b"])
    }
}
