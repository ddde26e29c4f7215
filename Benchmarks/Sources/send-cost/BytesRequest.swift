import APIKit

/// The benchmarks' endpoint, whose response is not decoded.
struct BytesRequest: APIRequest {
    typealias Response = Data
    let base: APIBase
    let path: URLPath = "items"
    let count: Int

    var parameters: Parameters { ["count": count] }
}
