public import APIKit

/// Streams the changes of a ticket.
struct WatchTicketRequest: DeskRequest {
    typealias Response = JSONEvents<TicketChange>
    var ticketID: Int

    var path: URLPath { "tickets/\(ticketID)/watch" }
}

nonisolated extension DeskClient.Tickets {
    /// Streams the changes of a ticket.
    public func watch(
        ticketID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> JSONEvents<TicketChange> {
        try await client.send(WatchTicketRequest(ticketID: ticketID), options: options)
    }
}

public struct TicketChange: JSONResponse, EventModel {
    public let text: String
}
