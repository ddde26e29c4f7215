public import APIKit

struct TicketRequest: DeskRequest {
    var id: Int

    var path: URLPath { "tickets/\(id)" }

    struct Response: JSONEnvelope {
        let ticket: Ticket
        var content: Ticket { ticket }
    }
}

nonisolated extension DeskClient.Tickets {
    public func get(id: Int, options: RequestOptions = RequestOptions()) async throws(APIError<DeskFailure>) -> Ticket {
        try await client.send(TicketRequest(id: id), options: options)
    }
}
