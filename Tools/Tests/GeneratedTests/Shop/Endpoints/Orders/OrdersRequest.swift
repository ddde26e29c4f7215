import APIKit

struct OrdersRequest: ShopRequest, PagedRequest {
    var cursor: String?

    var path: URLPath { "orders" }
    var parameters: Parameters { ["cursor": cursor] }

    func next(after reply: APIReply<Response>) -> Self? { next(setting: \.cursor, to: reply.model.nextCursor) }

    struct Response: ShopModel {
        let orders: [Order]
        let nextCursor: String?
    }
}
