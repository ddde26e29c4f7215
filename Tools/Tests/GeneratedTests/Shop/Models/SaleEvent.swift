import APIKit

struct SaleEvent: ShopModel {
    let type: String
    let product: Product
}
