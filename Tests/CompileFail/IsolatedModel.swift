// expect: main actor-isolated conformance of 'Hours' to 'Decodable' cannot satisfy conformance requirement
// flags: -default-isolation MainActor
import APIKit

#if FAIL
struct Hours: Decodable { let opens: Int }
#else
nonisolated struct Hours: Decodable { let opens: Int }
#endif

struct HoursRequest: APIRequest {
    typealias Response = JSON<Hours>
    var base: APIBase { "https://shop.example.com" }
    var path: URLPath { "hours" }
}
