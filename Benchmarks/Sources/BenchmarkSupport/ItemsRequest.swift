package import APIKit

/// The benchmarks' endpoint.
package struct ItemsRequest: APIRequest {
    package typealias Response = [Item]
    package let baseURL: URL
    package let path: URLPath = "items"
    let count: Int

    /// Creates a request for a number of items.
    package init(baseURL: URL, count: Int) {
        self.baseURL = baseURL
        self.count = count
    }

    package var parameters: Parameters { ["count": count] }
}
