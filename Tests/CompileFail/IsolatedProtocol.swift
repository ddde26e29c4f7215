// expect: conformance of 'ItemRequest' to protocol 'APIRequest' crosses into main actor-isolated code
// flags: -default-isolation MainActor
import APIKit

#if FAIL
protocol ShopRequest: APIRequest {}
extension ShopRequest { var base: APIBase { "https://shop.example.com" } }
#else
nonisolated protocol ShopRequest: APIRequest {}
nonisolated extension ShopRequest { var base: APIBase { "https://shop.example.com" } }
#endif

struct ItemRequest: ShopRequest {
    typealias Response = NoContent
    var path: URLPath { "item" }
}
