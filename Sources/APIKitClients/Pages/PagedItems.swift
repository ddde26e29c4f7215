public import APIKitCore

/// The items of a list, whose pages are requested as their items are asked for; created by
/// ``APIClient/items(of:options:pageLimit:prefetching:)``. It is its own iterator: a copy reads on from where it is.
///
/// ```swift
/// for try await commit in client.items(of: CommitsRequest()) { print(commit.sha) }
/// ```
///
/// Its type does not name the endpoint, so a public function of an SDK can return it although the endpoint is internal:
///
/// ```swift
/// public func todos() -> PagedItems<Todo, TodoFailure> {
///     client.items(of: TodosRequest())
/// }
/// ```
///
/// ``list(limit:)`` reads items into a collection.
public struct PagedItems<Item: Sendable, FailureModel: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// An item.
    public typealias Element = Item

    /// What was read of one page.
    private struct Page: Sendable {
        let items: [Item]
        let total: Int?
        /// Whether there is another page, even if the page limit forbids to request it.
        let hasMore: Bool
        let readNext: PageReader
    }

    /// Reads a page; returns nil after the last one.
    ///
    /// It is a closure so that the type of the items does not name the type of the request.
    private typealias PageReader = @Sendable () async throws(APIError<FailureModel>) -> Page?

    /// Reads the next page; nil at the end and after an error.
    private var readPage: PageReader?
    /// The items of the current page that were not returned yet.
    private var remainingItems: ArraySlice<Item> = []
    /// Whether there is a page after the current one.
    private var hasMorePages = true
    /// The number of items on all pages, as the pages that were read so far report it; nil if they do not or if none
    /// was read.
    public private(set) var total: Int?

    init<Request: PagedRequest, List: Sequence & SendableMetatype>(
        of pages: Pages<Request>, in list: @escaping @Sendable (Request.Response.Model) -> List
    ) where List.Element == Item, Request.Failure.Model == FailureModel {
        readPage = Self.reader(of: pages, in: list)
    }

    private static func reader<Request: PagedRequest, List: Sequence & SendableMetatype>(
        of pages: Pages<Request>, in list: @escaping @Sendable (Request.Response.Model) -> List
    ) -> PageReader where List.Element == Item, Request.Failure.Model == FailureModel {
        { () async throws(APIError<FailureModel>) -> Page? in
            var pages = pages
            guard let page = try await pages.next() else { return nil }
            return Page(
                items: Array(list(page.model)), total: page.total, hasMore: pages.hasMore,
                readNext: reader(of: pages, in: list))
        }
    }

    /// Returns the items themselves; the first page is requested when the first item is asked for.
    public func makeAsyncIterator() -> PagedItems { self }

    /// Returns the next item, or nil after the last one and after an error.
    ///
    /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled.
    @concurrent
    public mutating func next() async throws(APIError<FailureModel>) -> Item? {
        try await readPagesUpToItem()
        return remainingItems.popFirst()
    }

    /// Reads the items from the next one on, up to a limit.
    ///
    /// ```swift
    /// let list = try await client.items(of: OrdersRequest(), in: \.orders).list(limit: 50)
    /// print("\(list.count) of \(list.total ?? list.count)")
    /// if list.hasMore { print("and more") }
    /// ```
    ///
    /// No page is requested once there are enough items, except for the one ahead of items that are prefetched.
    ///
    /// - Parameter limit: How many items are read at most, zero or less for none; nil for all.
    /// - Returns: The items, their total, and whether there are more.
    /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled. Items that were read before are
    ///   lost: to keep them, use a loop.
    @concurrent
    public func list(limit: Int? = nil) async throws(APIError<FailureModel>) -> ItemList<Item> {
        let limit = limit ?? .max
        var rest = self
        var items: [Item] = []
        while items.count < limit {
            try await rest.readPagesUpToItem()
            let taken = rest.remainingItems.prefix(limit - items.count)
            if taken.isEmpty { break }
            items += taken
            rest.remainingItems.removeFirst(taken.count)
        }
        let hasMore = !rest.remainingItems.isEmpty || rest.hasMorePages
        return ItemList(items: items, total: rest.total, hasMore: hasMore)
    }

    /// Reads pages until there is an item to return, or until the end. Any error ends the sequence.
    private mutating func readPagesUpToItem() async throws(APIError<FailureModel>) {
        guard readPage != nil else { return }
        do throws(APIError<FailureModel>) {
            if Task.isCancelled { throw .cancelled }
            while remainingItems.isEmpty, let page = try await readPage?() {
                remainingItems = page.items[...]
                total = page.total ?? total
                hasMorePages = page.hasMore
                readPage = page.readNext
            }
            if remainingItems.isEmpty { readPage = nil }
        } catch {
            remainingItems = []
            readPage = nil
            throw error
        }
    }
}
