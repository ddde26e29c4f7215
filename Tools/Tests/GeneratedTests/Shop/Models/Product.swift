import APIKit

/// Something that the shop sells.
struct Product: ShopModel, JSONBody {
    var id: Int64?
    var name: String
    var state: State
    var price: Money
    var discount: Double?
    /// Deprecated.
    var selfLink: String?
    var category: Category?
    var extra: JSONValue?
    var labels: [String: String]?
    var tags: [String]?
    var createdAt: Date?
    var releasedOn: String?
    var htmlURL: String?

    struct State: RawRepresentable, Hashable, Codable {
        let rawValue: String

        static let available = Self(rawValue: "available")
        static let soldOut = Self(rawValue: "sold_out")
        static let _1Click = Self(rawValue: "1-click")
        static let `default` = Self(rawValue: "default")
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, state, price, discount, category, extra, labels, tags
        case selfLink = "self"
        case createdAt = "created_at"
        case releasedOn = "released_on"
        case htmlURL = "html_url"
    }
}
