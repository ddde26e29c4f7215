import APIKit

struct DeleteProductRequest: ShopRequest {
    typealias Response = NoContent
    var shopID: Int
    var id: String

    var method: HTTPMethod { .delete }
    var path: URLPath { "shops/\(shopID)/products/\(id).json" }
}
