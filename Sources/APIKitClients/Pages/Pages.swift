public import APIKitCore

/// The pages of a list, each requested when it is asked for; created by
/// ``APIClient/pages(of:limit:prefetching:)``. It is its own iterator: a copy reads on from where it is.
public struct Pages<Request: PagedRequest>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    /// A page.
    public typealias Element = Page

    /// One page: the reply to a request, and the request for the next page.
    public struct Page: Sendable {
        /// The request for this page.
        public let request: Request
        /// The model with the status, headers, timing and source of its response.
        public let reply: APIReply<Request.Response.Model>
        /// The request for the next page, to continue from it at any time; nil if this is the last one.
        public let next: Request?
        /// The number of items on all pages, nil if the API does not report it.
        public let total: Int?

        /// The model.
        public var model: Request.Response.Model { reply.model }
    }

    private let client: any APIClient
    private let limit: Int
    private let prefetches: Bool
    /// The request for the next page; nil at the end and after an error.
    private var request: Request?
    private var prefetched: PrefetchedPage<Request>?
    /// The number of pages so far.
    private var count = 0
    private var history = PageHistory()
    /// The error that the next read throws.
    private var failure: RequestError?

    init(of first: Request, from client: any APIClient, limit: Int?, prefetching: Bool) {
        self.client = client
        self.limit = limit ?? .max
        prefetches = prefetching
        prepare(first)
    }

    /// Returns the pages themselves; the first page is requested when it is asked for.
    public func makeAsyncIterator() -> Pages { self }

    /// Returns the next page, or nil after the last one and after an error.
    ///
    /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled.
    @concurrent
    public mutating func next() async throws(APIError<Request.Failure.Model>) -> Page? {
        if let failure = failure.take() { throw .invalidRequest(failure) }
        // The request is removed from the property first, so that any error ends the sequence.
        guard let request = request.take() else { return nil }
        let prefetched = prefetched.take()
        if Task.isCancelled { throw .cancelled }
        let reply: APIReply<Request.Response.Model>
        if let prefetched {
            reply = try await prefetched.reply
        } else {
            reply = try await client.reply(to: request)
        }
        let page = Page(
            request: request, reply: reply, next: request.next(after: reply), total: request.total(in: reply))
        count += 1
        prepare(page.next)
        if prefetches, let next = self.request { self.prefetched = PrefetchedPage(of: next, from: client) }
        return page
    }

    /// Sets the request for the next page. Leaves it nil at the last page, at the limit, and at a repeated request, for
    /// which it sets the failure unless the endpoint accepts repetitions as the end.
    private mutating func prepare(_ next: Request?) {
        guard let next, count < limit else { return }
        let isNew = history.add(next, from: client)
        if isNew {
            request = next
            return
        }
        if next.endsAtRepeatedPage { return }
        let problem =
            "`next(after:)` returned a request that was sent before: send the position of its page, such as a number or "
            + "`pageLink`, or set `endsAtRepeatedPage` if that is the end of the list"
        let outgoing = try? next.httpRequest(base: client.base(insteadOf: next.base), options: nil)
        failure = RequestError(.repeatedPage, problem, method: next.method, url: outgoing?.url)
    }
}

extension Pages {
    /// The items of all pages; created by ``APIClient/items(of:pageLimit:prefetching:)``. It is its own iterator: a
    /// copy reads on from where it is.
    public struct Items<List: Sequence>: AsyncSequence, AsyncIteratorProtocol, Sendable
    where List.Element: Sendable {
        /// An item.
        public typealias Element = List.Element

        /// The pages that are still to be read; nil at the end and after an error.
        private var pages: Pages?
        private let list: @Sendable (Request.Response.Model) -> List
        /// The items of the current page that were not returned yet.
        private var remainingItems: ArraySlice<Element> = []

        init(of pages: Pages, in list: @escaping @Sendable (Request.Response.Model) -> List) {
            self.pages = pages
            self.list = list
        }

        /// Returns the items themselves; the first page is requested when the first item is asked for.
        public func makeAsyncIterator() -> Items { self }

        /// Returns the next item, or nil after the last one and after an error.
        ///
        /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled.
        @concurrent
        public mutating func next() async throws(APIError<Request.Failure.Model>) -> Element? {
            // The pages are removed from the property first, so that any error ends the sequence.
            guard var pages = pages.take() else { return nil }
            if Task.isCancelled { throw .cancelled }
            while remainingItems.isEmpty {
                guard let page = try await pages.next() else { return nil }
                remainingItems = Array(list(page.model))[...]
            }
            self.pages = pages
            return remainingItems.popFirst()
        }
    }
}
