import APIKit

enum Event: ShopModel, EventModel {
    case saleEvent(SaleEvent)
    case stockEvent(StockEvent)
    case other(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type) {
        case "sale": self = .saleEvent(try container.decode(SaleEvent.self))
        case "stock": self = .stockEvent(try container.decode(StockEvent.self))
        default: self = .other(try container.decode(JSONValue.self))
        }
    }

    struct StockEvent: Decodable {
        let type: String
        let left: Int
    }

    private enum CodingKeys: String, CodingKey { case type }
}
