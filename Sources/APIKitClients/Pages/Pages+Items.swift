public import APIKitCore

extension Pages {
    /// The items of all pages; created by ``APIClient/items(of:pageLimit:prefetching:)``. It is its own iterator: a copy
    /// reads on from where it is.
    public struct Items<List: Sequence>: AsyncSequence, AsyncIteratorProtocol, Sendable
    where List.Element: Sendable {
        /// An item.
        public typealias Element = List.Element

        /// Nil at the end and after an error.
        private var pages: Pages?
        private let list: @Sendable (Request.Response.Model) -> List
        private var rest: ArraySlice<Element> = []

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
            guard var pages else { return nil }
            // For whatever throws.
            self.pages = nil
            if Task.isCancelled { throw .cancelled }
            while rest.isEmpty {
                guard let page = try await pages.next() else { return nil }
                rest = Array(list(page.model))[...]
            }
            self.pages = pages
            return rest.popFirst()
        }
    }
}
