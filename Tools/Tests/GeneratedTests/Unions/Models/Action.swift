import APIKit

enum Action: JSONResponse, JSONBody {
    case block(Block)
    case alert(Alert)
    case timeout(Timeout)
    case longTimeout(LongTimeout)
    case other(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try? decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .type) {
        case 1: self = .block(try container.decode(Block.self))
        case 2: self = .alert(try container.decode(Alert.self))
        case 3:
            if let value = try? container.decode(LongTimeout.self) {
                self = .longTimeout(value)
            } else if let value = try? container.decode(Timeout.self) {
                self = .timeout(value)
            } else {
                self = .other(try container.decode(JSONValue.self))
            }
        default: self = .other(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .block(let value): try container.encode(value)
        case .alert(let value): try container.encode(value)
        case .timeout(let value): try container.encode(value)
        case .longTimeout(let value): try container.encode(value)
        case .other(let value): try container.encode(value)
        }
    }

    struct Alert: Codable {
        var type = 2
        var channelID: String

        private enum CodingKeys: String, CodingKey {
            case type
            case channelID = "channel_id"
        }
    }

    struct Block: Codable {
        var type = 1
        var message: String?
    }

    struct LongTimeout: Codable {
        var type = 3
        var days: Int
    }

    struct Timeout: Codable {
        var type = 3
        var seconds: Int
    }

    private enum CodingKeys: String, CodingKey { case type }
}
