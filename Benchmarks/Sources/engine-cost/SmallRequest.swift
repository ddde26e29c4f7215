import APIKit
import BenchmarkSupport

/// A small request: a GET of some items, or a POST.
struct SmallRequest: APIRequest {
    typealias Response = [Item]
    let base: APIBase
    let count: Int
    let bytes: Data?
    /// The whole URL, for code by hand.
    let url: String
    /// The same for `perform`.
    private(set) var request: HTTPRequest!  // set by the initializer

    init(url: URL, count: Int = 3, body: Data? = nil) throws {
        (base, self.count, bytes) = (APIBase(url), count, body)
        self.url = "\(url.absoluteString)/\(body == nil ? "items?count=\(count)" : "create")"
        request = try httpRequest()
    }

    var path: URLPath { bytes == nil ? "items" : "create" }
    var query: Parameters { bytes == nil ? ["count": count] : [:] }
    var method: HTTPMethod { bytes == nil ? .get : .post }
    var body: RequestBody? { bytes.map { .data($0, contentType: .json) } }
}
