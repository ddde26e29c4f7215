public import APIKit

struct BoardTicketsRequest: DeskRequest, PagedRequest {
    typealias Response = BoardTicketResponse
    var boardID: Int
    var order: BoardTicketOrder?
    var cursor: String?

    var path: URLPath { "boards/\(boardID)/tickets" }
    var parameters: Parameters { ["order": order, "cursor": cursor] }

    func next(after reply: APIReply<BoardTicketResponse>) -> Self? {
        next(setting: \.cursor, to: reply.model.nextCursor)
    }
}

nonisolated extension DeskClient.Tickets {
    /// The tickets of a board.
    ///
    /// Requests pages until there are `limit` items, or all. Each request has the options.
    ///
    /// - `order`: Whether the oldest or the newest tickets come first.
    public func listBoardTickets(
        boardID: Int,
        order: BoardTicketOrder? = nil,
        limit: Int? = nil,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> ItemList<Ticket> {
        try await allBoardTickets(boardID: boardID, order: order, options: options).list(limit: limit)
    }

    /// The tickets of a board.
    ///
    /// Each page is requested, with the options, when its first item is asked for.
    ///
    /// - `order`: Whether the oldest or the newest tickets come first.
    public func allBoardTickets(
        boardID: Int,
        order: BoardTicketOrder? = nil,
        options: RequestOptions = RequestOptions()
    ) -> PagedItems<Ticket, DeskFailure> {
        client.items(of: BoardTicketsRequest(boardID: boardID, order: order), in: \.tickets, options: options)
    }
}

public enum BoardTicketOrder: String, ParameterValue { case oldest, newest }

public struct BoardTicketResponse: JSONResponse {
    public let tickets: [Ticket]
    public let nextCursor: String?

    private enum CodingKeys: String, CodingKey {
        case tickets
        case nextCursor = "next_cursor"
    }
}
