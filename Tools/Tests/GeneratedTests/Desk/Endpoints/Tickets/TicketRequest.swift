public import APIKit

struct TicketRequest: DeskRequest {
    var accountID: Int
    var id: Int

    var path: URLPath { "\(accountID)/tickets/\(id)" }

    struct Response: JSONEnvelope {
        let ticket: Ticket
        var content: Ticket { ticket }
    }
}

nonisolated extension DeskClient.Tickets {
    public func get(
        accountID: Int,
        id: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> Ticket {
        try await client.send(TicketRequest(accountID: accountID, id: id), options: options)
    }
}
