extension Pages {
    /// The items of all pages; created by ``APIClient/items(of:pageLimit:prefetching:)``.
    public struct Items<Element: Sendable>: AsyncSequence, Sendable {
        let pages: Pages
        let items: @Sendable (Request.Response.Model) -> [Element]

        /// Returns an iterator, which requests the first page when the first item is asked for.
        public func makeAsyncIterator() -> Iterator {
            Iterator(pages: pages.makeAsyncIterator(), items: items)
        }

        /// Reads items.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            /// Nil at the end and after an error.
            private var pages: Pages.Iterator?
            private let items: @Sendable (Request.Response.Model) -> [Element]
            private var rest: ArraySlice<Element> = []

            fileprivate init(
                pages: Pages.Iterator, items: @escaping @Sendable (Request.Response.Model) -> [Element]
            ) {
                self.pages = pages
                self.items = items
            }

            /// Returns the next item, or nil after the last one and after an error.
            ///
            /// - Throws: The endpoint's ``APIError``; `cancelled` if the task is cancelled.
            @concurrent
            public mutating func next() async throws(APIError<Request.Failure.Model>) -> Element? {
                guard var pages else { return nil }
                // For whatever throws.
                self.pages = nil
                if Task.isCancelled { throw .cancelled }
                while rest.isEmpty {
                    guard let page = try await pages.next() else { return nil }
                    rest = items(page.model)[...]
                }
                self.pages = pages
                return rest.popFirst()
            }
        }
    }
}
