public import APIKit

struct BoardsRequest: DeskRequest, PagedRequest {
    typealias Response = [Board]
    var accountID: Int
    var pageLink: URL?

    var path: URLPath { "\(accountID)/boards" }

    func next(after reply: APIReply<[Board]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

nonisolated extension DeskClient.Boards {
    /// The boards of an account.
    public func list(
        accountID: Int,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> [Board] {
        try await client.send(BoardsRequest(accountID: accountID), options: options)
    }
}

public struct Board: JSONResponse {
    public let id: Int
    public let name: String
}
