import APIKit

struct Order: ShopModel {
    let id: String
    let note: String?
    let payment: Payment
    let delivery: Delivery?
    let reference: Reference?

    enum Delivery: Decodable {
        case courier(Courier)
        case pickup(Pickup)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Courier.self), value.street != nil {
                self = .courier(value)
            } else if let value = try? container.decode(Pickup.self) {
                self = .pickup(value)
            } else {
                self = .other(try container.decode(JSONValue.self))
            }
        }

        struct Courier: Decodable {
            let street: String?
            let date: String
        }

        struct Pickup: Decodable {
            let shopID: Int?
            let date: String
        }
    }

    /// How an order is paid.
    enum Payment: Decodable {
        case card(Card)
        case bankTransfer(BankTransfer)
        case other(JSONValue)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind) {
            case "card": self = .card(try container.decode(Card.self))
            case "transfer": self = .bankTransfer(try container.decode(BankTransfer.self))
            default: self = .other(try container.decode(JSONValue.self))
            }
        }

        struct BankTransfer: Decodable {
            let id: String
            let iban: String?
        }

        struct Card: Decodable {
            let id: String
            let last4: String
        }

        private enum CodingKeys: String, CodingKey { case kind }
    }

    enum Reference: Decodable {
        case string(String)
        case int(Int)
        case money(Money)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else {
                self = .money(try container.decode(Money.self))
            }
        }
    }
}
