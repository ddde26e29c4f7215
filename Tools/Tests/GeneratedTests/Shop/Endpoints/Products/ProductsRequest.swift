import APIKit

/// Lists products that are sold.
struct ProductsRequest: ShopRequest, PagedRequest {
    typealias Response = [Product]
    var priceMax: Double?
    var filter: Filter?
    var ids: [Int] = []
    var sizes: [String] = []
    var xTrace: String?
    var sort: Sort?
    var pageLink: URL?

    enum Sort: String, ParameterValue { case created, updatedAt = "updated_at" }

    var path: URLPath { "products" }
    var headers: HTTPHeaders { ["X-Trace": xTrace] }
    var parameters: Parameters {
        [
            "price[max]": priceMax, "filter": filter, "ids": .list(ids, as: .commas),
            "sizes": .list(sizes, as: .indexed), "sort": sort,
        ]
    }

    func next(after reply: APIReply<[Product]>) -> Self? { next(setting: \.pageLink, to: reply.links[.next]) }

    struct Filter: ParameterValue {
        var name: String?
        var parameterNode: Parameters.Node { .object(["name": name]) }
    }
}
