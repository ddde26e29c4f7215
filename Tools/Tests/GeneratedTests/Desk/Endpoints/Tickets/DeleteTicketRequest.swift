public import APIKit

struct DeleteTicketRequest: DeskRequest {
    typealias Response = NoContent
    var id: Int

    var method: HTTPMethod { .delete }
    var path: URLPath { "tickets/\(id)" }
}

nonisolated extension DeskClient.Tickets {
    public func delete(id: Int, options: RequestOptions = RequestOptions()) async throws(APIError<DeskFailure>) {
        try await client.send(DeleteTicketRequest(id: id), options: options)
    }
}
