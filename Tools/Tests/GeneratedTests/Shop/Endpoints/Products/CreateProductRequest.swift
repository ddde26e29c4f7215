import APIKit

struct CreateProductRequest: ShopRequest {
    typealias Response = Product
    var product: Product

    var method: HTTPMethod { .post }
    var path: URLPath { "products" }
    var body: RequestBody? { .json(product) }
}
