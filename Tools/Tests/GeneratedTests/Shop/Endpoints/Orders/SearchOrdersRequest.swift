import APIKit

struct SearchOrdersRequest: ShopRequest, PagedRequest {
    typealias Response = JSON<[String]>
    var q: String
    var page = 1

    var path: URLPath { "orders/search" }
    var parameters: Parameters { ["type": "code", "q": q, "page": page] }

    func next(after reply: APIReply<[String]>) -> Self? { next(advancing: \.page, by: reply.model.isEmpty ? 0 : 1) }
}
