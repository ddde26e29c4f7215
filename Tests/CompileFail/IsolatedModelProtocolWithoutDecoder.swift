// expect: type 'Item' does not conform to protocol 'JSONResponse'
// flags: -default-isolation MainActor
import APIKit

#if FAIL
protocol ShopModel: JSONResponse {}
#else
nonisolated protocol ShopModel: JSONResponse {}
#endif

struct Item: ShopModel { let id: Int }

struct ItemRequest: APIRequest {
    typealias Response = Item
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "item" }
}
