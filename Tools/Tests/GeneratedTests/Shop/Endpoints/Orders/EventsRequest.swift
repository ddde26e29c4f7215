import APIKit

struct EventsRequest: ShopRequest, PagedRequest {
    var id: String
    var page = 1

    var path: URLPath { "orders/\(id)/events" }
    var parameters: Parameters { ["page": page] }

    func next(after reply: APIReply<[SaleEvent]?>) -> Self? {
        next(advancing: \.page, by: reply.model?.isEmpty != false ? 0 : 1)
    }

    struct Response: JSONEnvelope {
        let saleEvents: [SaleEvent]?
        var content: [SaleEvent]? { saleEvents }
    }
}
