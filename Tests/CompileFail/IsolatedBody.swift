// expect: main actor-isolated conformance of 'Hours' to 'Encodable' cannot be used in nonisolated context
// flags: -default-isolation MainActor
import APIKit

#if FAIL
struct Hours: Encodable { let opens: Int }
#else
nonisolated struct Hours: Encodable { let opens: Int }
#endif

struct HoursRequest: APIRequest {
    typealias Response = NoContent
    var base: APIBase { "https://shop.example.com" }
    var method: HTTPMethod { .put }
    var path: URLPath { "hours" }
    var body: RequestBody? { .json(Hours(opens: 9), encoder: .api) }
}
