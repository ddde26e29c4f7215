// expect: conformance of 'Item' to protocol 'JSONResponse' crosses into main actor-isolated code
// flags: -default-isolation MainActor
import APIKit

#if FAIL
protocol ShopModel: JSONResponse {}
extension ShopModel { static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) } }
#else
nonisolated protocol ShopModel: JSONResponse {}
nonisolated extension ShopModel { static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) } }
#endif

struct Item: ShopModel { let id: Int }

struct ItemRequest: APIRequest {
    typealias Response = Item
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "item" }
}
