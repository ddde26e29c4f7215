// fault: the build never ends
import APIKit

struct Item: JSONResponse { let id: Int }

struct ItemRequest: APIRequest {
    typealias Response = Item
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "item" }
}

#if FAIL
func itemAfterRetries(from client: any APIClient) async throws -> Item {
    var failures = 0
    while true {
        do {
            return try await client.send(ItemRequest())
        } catch  where !error.isCancellation && failures < 3 {
            failures += 1
        }
    }
}
#else
func itemAfterRetries(from client: any APIClient) async throws -> Item {
    var failures = 0
    while true {
        do {
            return try await client.send(ItemRequest())
        } catch  where !error.isCancellation && failures < 3 {
            failures += 1
        } catch {
            throw error
        }
    }
}
#endif
