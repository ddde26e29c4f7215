/// The items that were read of a list, and whether there were more; read by ``PagedItems/list(limit:)``.
public struct ItemList<Item: Sendable>: Sendable {
    /// The items, in the order of the list.
    public let items: [Item]
    /// The number of items on all pages; nil if the API does not report it or no page was read.
    public let total: Int?
    /// Whether the list goes on after these items: on the last page that was read, or on a page that was not requested
    /// because of the limit of items or pages.
    ///
    /// A page that was not requested may turn out to be empty, since some APIs end their lists so.
    public let hasMore: Bool

    /// Creates a list, for example for a test.
    public init(items: [Item], total: Int? = nil, hasMore: Bool = false) {
        self.items = items
        self.total = total
        self.hasMore = hasMore
    }
}

extension ItemList: RandomAccessCollection {
    /// Zero.
    public var startIndex: Int { items.startIndex }
    /// The number of items.
    public var endIndex: Int { items.endIndex }
    /// The item at a position, which must be valid.
    public subscript(position: Int) -> Item { items[position] }
}

extension ItemList: Equatable where Item: Equatable {}
extension ItemList: Hashable where Item: Hashable {}
