import APIKit

struct UpdateProductRequest: ShopRequest, JSONRequest {
    typealias Response = Product?
    var shopID: Int
    var id: String
    var productBody: String?
    var discount: Patch<Double> = .keep
    var images: [Image]?
    var name: String?
    var price: Money?
    var method: HTTPMethod { .patch }
    var path: URLPath { "shops/\(shopID)/products/\(id).json" }

    var parameters: Parameters {
        ["body": productBody, "discount": discount, "images": images, "name": name, "price": price]
    }

    struct Image: ParameterValue {
        var url: String
        var parameterNode: Parameters.Node { .object(["url": url]) }
    }
}
