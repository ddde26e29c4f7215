import APIKit

struct VehiclesRequest: KindsRequest {
    typealias Response = [Vehicle]
    var path: URLPath { "vehicles" }
}

enum Vehicle: JSONResponse {
    case car(Car)
    case bike(Bike)
    case other(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .type) {
        case "bike": self = .bike(try container.decode(Bike.self))
        case "car": self = .car(try container.decode(Car.self))
        default: self = .other(try container.decode(JSONValue.self))
        }
    }

    struct Bike: Decodable {
        let wheels: Int
        let bell: Bool?
    }

    struct Car: Decodable {
        let doors: Int
        let wheels: Int
    }

    private enum CodingKeys: String, CodingKey { case type }
}
