import APIKit

struct CountersRequest: KindsRequest, PagedRequest {
    var offset: UInt64 = 0

    var path: URLPath { "counters" }
    var parameters: Parameters { ["offset": offset] }

    func next(after reply: APIReply<Response>) -> Self? {
        next(advancing: \.offset, by: UInt64(reply.model.entries.count))
    }
    func total(in reply: APIReply<Response>) -> Int? { reply.model.total.flatMap { Int(exactly: $0) } }

    struct Response: JSONResponse {
        let entries: [Counter]
        let total: UInt32?

        struct Counter: Decodable {
            let value: UInt64
            let step: UInt32?
        }
    }
}
