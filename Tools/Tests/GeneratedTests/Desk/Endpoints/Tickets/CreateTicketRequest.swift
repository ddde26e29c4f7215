public import APIKit

struct CreateTicketRequest: DeskRequest, JSONRequest {
    typealias Response = Ticket
    var boardID: Int
    var title: String
    var kind: TicketKind?

    var method: HTTPMethod { .post }
    var path: URLPath { "boards/\(boardID)/tickets" }
    var parameters: Parameters { ["title": title, "kind": kind] }
}

nonisolated extension DeskClient.Tickets {
    /// Creates a ticket.
    public func create(
        boardID: Int,
        title: String,
        kind: TicketKind? = nil,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> Ticket {
        try await client.send(CreateTicketRequest(boardID: boardID, title: title, kind: kind), options: options)
    }
}

public enum TicketKind: String, ParameterValue { case question, bug }
