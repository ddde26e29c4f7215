package import APIKit

/// The benchmarks' endpoint.
package struct ItemsRequest: APIRequest {
    package typealias Response = [Item]
    package let base: APIBase
    package let path: URLPath = "items"
    let count: Int

    /// Creates a request for a number of items.
    package init(base: APIBase, count: Int) {
        self.base = base
        self.count = count
    }

    package var parameters: Parameters { ["count": count] }
}
