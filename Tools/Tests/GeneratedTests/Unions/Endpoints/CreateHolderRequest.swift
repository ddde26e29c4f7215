import APIKit

struct CreateHolderRequest: UnionsRequest {
    typealias Response = Holder
    var holder: Holder

    var method: HTTPMethod { .post }
    var path: URLPath { "holders" }
    var body: RequestBody? { .json(holder) }
}

struct Holder: JSONResponse, JSONBody {
    var status: Status?
    var filter: Filter?
    var whole: Filter?
    var byName: [String: Filter?]?
    var filters: [Filter?]?
    var mixed: [Mixed?]?

    enum Mixed: Codable {
        case string(String)
        case int(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .string(let value): try container.encode(value)
            case .int(let value): try container.encode(value)
            }
        }
    }

    struct Status: RawRepresentable, Hashable, Codable {
        let rawValue: String

        static let active = Self(rawValue: "active")
        static let closed = Self(rawValue: "closed")
    }
}
