import APIKit

struct ListOrdersRequest: ShopRequest, PagedRequest {
    var cursor: String?
    var path: URLPath { "orders" }
    var parameters: Parameters { ["cursor": cursor] }
    func next(after reply: APIReply<Response>) -> Self? { next(setting: \.cursor, to: reply.model.nextCursor) }

    struct Response: JSONResponse {
        let nextCursor: String?
        let orders: [Order]

        private enum CodingKeys: String, CodingKey {
            case orders
            case nextCursor = "next_cursor"
        }
    }
}
