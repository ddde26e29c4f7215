public import APIKit

struct DeleteTicketRequest: DeskRequest {
    typealias Response = NoContent
    var accountID: Int
    var id: Int

    var method: HTTPMethod { .delete }
    var path: URLPath { "\(accountID)/tickets/\(id)" }
}

nonisolated extension DeskClient.Tickets {
    public func delete(
        accountID: Int,
        id: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) {
        try await client.send(DeleteTicketRequest(accountID: accountID, id: id), options: options)
    }
}
