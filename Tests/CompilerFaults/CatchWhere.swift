// fault: compile command failed due to signal 11
import APIKit

struct Item: JSONResponse { let id: Int }
struct ShopError: JSONResponse { let reason: String }

struct ItemRequest: APIRequest {
    typealias Response = Item
    typealias Failure = ShopError
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "item" }
}

#if FAIL
func itemIfPresent(in client: any APIClient) async throws -> Item? {
    do {
        return try await client.send(ItemRequest())
    } catch APIError<ShopError>.rejected(_, let response) where response.head.status == 404 {
        return nil
    }
}
#else
func itemIfPresent(in client: any APIClient) async throws -> Item? {
    do {
        return try await client.send(ItemRequest())
    } catch APIError<ShopError>.rejected(_, let response) where response.head.status == 404 {
        return nil
    } catch {
        throw error
    }
}
#endif
