import APIKit

@available(*, deprecated)
struct ProductRequest: ShopRequest {
    typealias Response = Product
    var shopID: Int
    var id: String

    var path: URLPath { "shops/\(shopID)/products/\(id).json" }
}
