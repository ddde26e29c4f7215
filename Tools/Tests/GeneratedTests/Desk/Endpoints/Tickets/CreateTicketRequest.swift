public import APIKit

struct CreateTicketRequest: DeskRequest, JSONRequest {
    typealias Response = Ticket
    var accountID: Int
    var boardID: Int
    var title: String
    var kind: TicketKind?

    var method: HTTPMethod { .post }
    var path: URLPath { "\(accountID)/boards/\(boardID)/tickets" }
    var parameters: Parameters { ["title": title, "kind": kind] }
}

nonisolated extension DeskClient.Tickets {
    /// Creates a ticket.
    public func create(
        accountID: Int,
        boardID: Int,
        title: String,
        kind: TicketKind? = nil,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> Ticket {
        let request = CreateTicketRequest(accountID: accountID, boardID: boardID, title: title, kind: kind)
        return try await client.send(request, options: options)
    }
}

public enum TicketKind: String, ParameterValue { case question, bug }
