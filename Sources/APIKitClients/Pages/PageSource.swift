import APIKitCore

/// How the pages of a list are requested. It is an object so that the size of a sequence does not depend on it.
final class PageSource: Sendable {
    let client: any APIClient
    /// The options of each page's request.
    let options: RequestOptions?
    /// How many pages are requested at most.
    let limit: Int
    /// Whether the next page is requested while one is used.
    let prefetches: Bool

    init(_ client: any APIClient, options: RequestOptions?, limit: Int?, prefetching: Bool) {
        self.client = client
        self.options = options
        self.limit = limit ?? .max
        prefetches = prefetching
    }
}
