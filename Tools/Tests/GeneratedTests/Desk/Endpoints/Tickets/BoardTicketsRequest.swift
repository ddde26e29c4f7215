public import APIKit

struct BoardTicketsRequest: DeskRequest, PagedRequest {
    typealias Response = BoardTicketResponse
    var accountID: Int
    var boardID: Int
    var order: BoardTicketOrder?
    var cursor: String?

    var path: URLPath { "\(accountID)/boards/\(boardID)/tickets" }
    var parameters: Parameters { ["order": order, "cursor": cursor] }

    func next(after reply: APIReply<BoardTicketResponse>) -> Self? {
        next(setting: \.cursor, to: reply.model.nextCursor)
    }
}

nonisolated extension DeskClient.Tickets {
    /// The tickets of a board.
    ///
    /// - `order`: Whether the oldest or the newest tickets come first.
    public func listBoardTickets(
        accountID: Int,
        boardID: Int,
        order: BoardTicketOrder? = nil,
        cursor: String? = nil,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> BoardTicketResponse {
        let request = BoardTicketsRequest(accountID: accountID, boardID: boardID, order: order, cursor: cursor)
        return try await client.send(request, options: options)
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
