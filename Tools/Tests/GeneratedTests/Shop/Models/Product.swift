import APIKit

/// Something that the shop sells.
struct Product: JSONResponse, JSONBody {
    var id: Int64?
    var category: Category?
    var createdAt: Date?
    var discount: Double?
    var extra: JSONValue?
    var htmlURL: String?
    var labels: [String: String]?
    /// The name, as it is shown.
    var name: String
    var price: Money
    var releasedOn: String?
    /// Deprecated.
    var selfLink: String?
    var state: State
    var tags: [String]?

    struct State: RawRepresentable, Hashable, Codable, Sendable {
        let rawValue: String

        static let _1Click = State(rawValue: "1-click")
        static let available = State(rawValue: "available")
        static let `default` = State(rawValue: "default")
        static let soldOut = State(rawValue: "sold_out")
    }

    private enum CodingKeys: String, CodingKey {
        case id, category, discount, extra, labels, name, price, state, tags
        case createdAt = "created_at"
        case htmlURL = "html_url"
        case releasedOn = "released_on"
        case selfLink = "self"
    }
}
