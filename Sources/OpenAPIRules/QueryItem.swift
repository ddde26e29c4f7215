/// A name and a text as they are sent: an item of a query, or a field of a form.
public struct QueryItem: Hashable, Sendable {
    /// The name, without percent-encoding.
    public let name: String
    /// The value, without percent-encoding; empty if only the name is sent.
    public let text: String

    /// Creates an item.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Splits a query, or the body of a form that is encoded like one: `q=a+b&page=2` has the items `q`, with the text
    /// `a b`, and `page`, with the text `2`.
    public static func items(of query: some StringProtocol) -> [QueryItem] {
        query.split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let text = item.dropFirst(name.count + 1)
            return QueryItem(name: decoded(name), text: decoded(text))
        }
    }

    /// A form writes a space as `+`, and a plus sign as `%2B`.
    private static func decoded(_ text: some StringProtocol) -> String {
        String(text).replacing("+", with: " ").percentDecoded
    }
}
