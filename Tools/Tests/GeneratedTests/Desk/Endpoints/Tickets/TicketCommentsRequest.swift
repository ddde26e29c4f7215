public import APIKit

@available(*, deprecated)
struct TicketCommentsRequest: DeskRequest {
    typealias Response = [TicketComment]
    var accountID: Int
    var ticketID: Int

    var path: URLPath { "\(accountID)/tickets/\(ticketID)/comments" }
}

nonisolated extension DeskClient.Tickets {
    @available(*, deprecated)
    public func listComments(
        accountID: Int,
        ticketID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> [TicketComment] {
        try await client.send(TicketCommentsRequest(accountID: accountID, ticketID: ticketID), options: options)
    }
}

public struct TicketComment: JSONResponse {
    public let text: String
}
