public import APIKit

/// The boards of an account.
struct BoardsRequest: DeskRequest, PagedRequest {
    typealias Response = [Board]
    var pageLink: URL?

    var path: URLPath { "boards" }

    func next(after reply: APIReply<[Board]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }
}

nonisolated extension DeskClient.Boards {
    /// The boards of an account.
    ///
    /// Requests pages until there are `limit` items, or all. Each request has the options.
    public func list(
        limit: Int? = nil,
        options: RequestOptions = RequestOptions()
    ) async throws(APIError<DeskFailure>) -> ItemList<Board> {
        try await all(options: options).list(limit: limit)
    }

    /// The boards of an account.
    ///
    /// Each page is requested, with the options, when its first item is asked for.
    public func all(options: RequestOptions = RequestOptions()) -> PagedItems<Board, DeskFailure> {
        client.items(of: BoardsRequest(), options: options)
    }
}

public struct Board: JSONResponse {
    public let id: Int
    public let name: String
}
