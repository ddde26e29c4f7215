import APIKit

/// Some or all items of a list.
struct BasecampList<Item: Sendable>: Sendable {
    /// The items.
    var items: [Item] = []
    /// The number of items on all pages; 0 if the API does not report it.
    var total = 0
    /// Whether the list has items after these.
    var isTruncated = false
}

extension BasecampClient {
    /// Reads the pages of a list: all of them, or until there are enough items.
    func list<R: PagedRequest, Item>(
        _ request: R, maxItems: Int = .max, pages: Int? = nil
    ) async throws(BasecampFailure) -> BasecampList<Item> where R.Response.Model == [Item] {
        var list = BasecampList<Item>()
        do {
            for try await page in client.pages(of: request, limit: pages ?? pageLimit) {
                let rest = maxItems - list.items.count
                list.items += page.model.prefix(rest)
                list.total = page.reply.head.headers["X-Total-Count"].flatMap { Int($0) } ?? list.total
                list.isTruncated = page.next != nil || page.model.count > rest
                if list.items.count == maxItems { break }
            }
        } catch {
            throw BasecampFailure(error)
        }
        return list
    }
}
