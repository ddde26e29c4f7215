public import APIKitCore

extension APIClient {
    /// The pages of a list, each requested when it is asked for.
    ///
    /// ```swift
    /// for try await page in client.pages(of: CommitsRequest()) {
    ///     show(page.model, of: page.total)
    /// }
    /// ```
    ///
    /// Nothing is sent before the loop begins, and nothing after it is left. Each loop starts with the first page.
    /// ``Pages/Page/next`` is the request for the page after one, to continue from there at another time: also after
    /// the last page that the limit allows.
    ///
    /// A request that is equal to an earlier one is not sent: the loop throws `invalidRequest` with the code
    /// `repeatedPage`, or ends if the endpoint says so (``PagedRequest/endsAtRepeatedPage``). A repetition of the first
    /// or the previous request is detected at once, any other after a few rounds, since only three requests are kept.
    /// A server that names a new page each time, without end, is stopped only by the limit.
    ///
    /// If the link to the next page is not a valid URL, or leads to another origin, the loop does not end there, but
    /// throws `invalidRequest` with the code `link`.
    ///
    /// The loop throws the endpoint's ``APIError``: `cancelled` if its task is cancelled. After an error it is at its
    /// end.
    ///
    /// - Parameters:
    ///   - request: The endpoint, for the first page.
    ///   - options: Options of each page's request, which override the endpoint's options one by one. So a deadline is
    ///     that of one page, not of all.
    ///   - limit: How many pages are requested at most; nil for all.
    ///   - prefetching: Whether the next page is requested while one is used. There is never more than one ahead; its
    ///     failure is thrown when it is asked for, and leaving the loop cancels it.
    /// - Returns: The pages.
    public func pages<R: PagedRequest>(
        of request: R, options: RequestOptions? = nil, limit: Int? = nil, prefetching: Bool = false
    ) -> Pages<R> {
        Pages(of: request, from: PageSource(self, options: options, limit: limit, prefetching: prefetching))
    }

    /// The items of a list, whose pages are requested one after the other as their items are asked for.
    ///
    /// ```swift
    /// for try await commit in client.items(of: CommitsRequest()) { print(commit.sha) }
    /// ```
    ///
    /// Pages are requested and end as in ``pages(of:options:limit:prefetching:)``.
    ///
    /// - Parameters:
    ///   - request: The endpoint, for the first page. Its model is the list itself.
    ///   - options: Options of each page's request, which override the endpoint's options one by one.
    ///   - pageLimit: How many pages are requested at most; nil for all.
    ///   - prefetching: Whether the next page is requested while the items of one are used.
    /// - Returns: The items.
    public func items<R: PagedRequest>(
        of request: R, options: RequestOptions? = nil, pageLimit: Int? = nil, prefetching: Bool = false
    ) -> PagedItems<R.Response.Model.Element, R.Failure.Model>
    where R.Response.Model: Sequence, R.Response.Model.Element: Sendable {
        items(of: request, in: { $0 }, options: options, pageLimit: pageLimit, prefetching: prefetching)
    }

    /// Unavailable: the items of a model that is not a sequence must be named.
    @available(*, unavailable, message: "the model is no sequence: name its list, as in `items(of: …, in: \\.list)`")
    public func items<R: PagedRequest>(
        of request: R, options: RequestOptions? = nil, pageLimit: Int? = nil, prefetching: Bool = false
    ) -> PagedItems<Never, R.Failure.Model> {
        items(
            of: request, in: { _ in EmptyCollection<Never>() }, options: options, pageLimit: pageLimit,
            prefetching: prefetching)
    }

    /// The items of a list whose pages hold them in a property: `client.items(of: OrdersRequest(), in: \.orders)`.
    ///
    /// - Parameters:
    ///   - request: The endpoint, for the first page.
    ///   - list: Returns the items of a page; a key path is enough.
    ///   - options: Options of each page's request, which override the endpoint's options one by one.
    ///   - pageLimit: How many pages are requested at most; nil for all.
    ///   - prefetching: Whether the next page is requested while the items of one are used.
    /// - Returns: The items.
    public func items<R: PagedRequest, List: Sequence & SendableMetatype>(
        of request: R,
        in list: @escaping @Sendable (R.Response.Model) -> List,
        options: RequestOptions? = nil,
        pageLimit: Int? = nil,
        prefetching: Bool = false
    ) -> PagedItems<List.Element, R.Failure.Model> where List.Element: Sendable {
        let pages = pages(of: request, options: options, limit: pageLimit, prefetching: prefetching)
        return PagedItems(of: pages, in: list)
    }
}
