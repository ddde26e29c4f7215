public import APIKit

@available(*, deprecated)
struct TicketCommentsRequest: DeskRequest {
    typealias Response = [TicketComment]
    var ticketID: Int

    var path: URLPath { "tickets/\(ticketID)/comments" }
}

nonisolated extension DeskClient.Tickets {
    @available(*, deprecated)
    public func listComments(
        ticketID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> [TicketComment] {
        try await client.send(TicketCommentsRequest(ticketID: ticketID), options: options)
    }
}

public struct TicketComment: JSONResponse {
    public let text: String
}
