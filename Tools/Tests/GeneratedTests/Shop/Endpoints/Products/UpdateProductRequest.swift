import APIKit

struct UpdateProductRequest: ShopRequest, JSONRequest {
    typealias Response = Product?
    var shopID: Int
    var id: String
    var name: String?
    var productBody: String?
    var discount: Patch<Double> = .keep
    var price: Money?
    var images: [Image]?

    var method: HTTPMethod { .patch }
    var path: URLPath { "shops/\(shopID)/products/\(id).json" }
    var parameters: Parameters {
        ["name": name, "body": productBody, "discount": discount, "price": price, "images": images]
    }

    struct Image: ParameterValue {
        var url: String
        var parameterNode: Parameters.Node { .object(["url": url]) }
    }
}
