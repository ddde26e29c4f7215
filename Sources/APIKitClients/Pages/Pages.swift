public import APIKitCore

/// The pages of a list, each requested when it is asked for; created by
/// ``APIClient/pages(of:options:limit:prefetching:)``. It is its own iterator: a copy reads on from where it is.
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

    /// A page that has yet to be read. It is an object so that the size of the sequence does not depend on the type of
    /// the request, for which the compiler would generate far more code.
    private final class Upcoming: Sendable {
        let request: Request
        /// Nil if the page is requested when it is asked for.
        let prefetched: PrefetchedPage<Request>?

        init(_ request: Request, prefetched: PrefetchedPage<Request>?) {
            self.request = request
            self.prefetched = prefetched
        }
    }

    private let source: PageSource
    /// The next page; nil at the end and after an error.
    private var upcoming: Upcoming?
    /// The number of pages so far.
    private var count = 0
    private var history = PageHistory()
    /// The error that the next read throws.
    private var failure: RequestError?
    /// Whether there is a page after those that were read, even if the limit forbids to request it.
    private(set) var hasMore = true

    init(of first: Request, from source: PageSource) {
        self.source = source
        prepare(first, prefetching: false)
    }

    /// Returns the pages themselves; the first page is requested when it is asked for.
    public func makeAsyncIterator() -> Pages { self }

    /// Returns the next page, or nil after the last one and after an error.
    ///
    /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled.
    @concurrent
    public mutating func next() async throws(APIError<Request.Failure.Model>) -> Page? {
        if let failure = failure.take() { throw .invalidRequest(failure) }
        // The page is removed from the property first, so that any error ends the sequence.
        guard let upcoming = upcoming.take() else { return nil }
        if Task.isCancelled { throw .cancelled }
        let request = upcoming.request
        let reply: APIReply<Request.Response.Model>
        if let prefetched = upcoming.prefetched {
            reply = try await prefetched.reply
        } else {
            reply = try await source.client.reply(to: request, options: source.options)
        }
        let page = Page(
            request: request, reply: reply, next: request.next(after: reply), total: request.total(in: reply))
        count += 1
        prepare(page.next, prefetching: source.prefetches)
        return page
    }

    /// Sets the next page. Leaves it nil at the last page, at the limit, and at a repeated request, for which it sets
    /// the failure unless the endpoint accepts repetitions as the end.
    private mutating func prepare(_ next: Request?, prefetching: Bool) {
        hasMore = next != nil
        guard let next, count < source.limit else { return }
        // Sending an invalid request reports its error, so it does not count as a repetition.
        let outgoing = try? next.httpRequest(base: source.client.base(insteadOf: next.base), options: nil)
        if let outgoing {
            let isNew = history.add(outgoing)
            guard isNew else {
                if next.endsAtRepeatedPage {
                    hasMore = false
                } else {
                    failure = Self.repetition(of: outgoing)
                }
                return
            }
        }
        upcoming = Upcoming(next, prefetched: prefetching ? PrefetchedPage(of: next, from: source) : nil)
    }

    private static func repetition(of request: HTTPRequest) -> RequestError {
        let problem =
            "`next(after:)` returned a request that was sent before: send the position of its page, such as a number or "
            + "`pageLink`, or set `endsAtRepeatedPage` if that is the end of the list"
        return RequestError(.repeatedPage, problem, method: request.method, url: request.url)
    }
}
