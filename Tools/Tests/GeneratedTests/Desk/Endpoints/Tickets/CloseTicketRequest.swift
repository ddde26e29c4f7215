public import APIKit

/// Closes a ticket at once, or later.
struct CloseTicketRequest: DeskRequest {
    typealias Response = CloseTicketResponse
    var ticketID: Int

    var method: HTTPMethod { .post }
    var path: URLPath { "tickets/\(ticketID)/close" }
}

nonisolated extension DeskClient.Tickets {
    /// Closes a ticket at once, or later.
    public func close(
        ticketID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> CloseTicketResponse {
        try await client.send(CloseTicketRequest(ticketID: ticketID), options: options)
    }
}

public struct TicketReceipt: JSONResponse {
    public let id: String
}

public enum CloseTicketResponse: APIResponse {
    case ok(Ticket)
    case accepted(TicketReceipt)

    public static var acceptedTypes: [MIMEType] { [.json] }
    public static func process(data: Data) throws -> CloseTicketResponse { .ok(try Ticket.process(data: data)) }

    public static func process(response: HTTPResponse) async throws -> CloseTicketResponse {
        switch response.head.status {
        case 202: .accepted(try await TicketReceipt.process(response: response))
        default: .ok(try await Ticket.process(response: response))
        }
    }
}
