import APIKit

enum Shape: JSONResponse, ParameterValue {
    case circle(Circle)
    case square(Square)
    case other(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try? decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind) {
        case "Square": self = .square(try container.decode(Square.self))
        case "circle": self = .circle(try container.decode(Circle.self))
        default: self = .other(try container.decode(JSONValue.self))
        }
    }

    var parameterNode: Parameters.Node {
        switch self {
        case .circle(let value): value.parameterNode
        case .square(let value): value.parameterNode
        case .other(let value): value.parameterNode
        }
    }

    struct Circle: Decodable, ParameterValue {
        var kind = "circle"
        var radius: Double
        var color: String?
        var parameterNode: Parameters.Node { .object(["kind": kind, "radius": radius, "color": color]) }
    }

    struct Square: Decodable, ParameterValue {
        var kind = "Square"
        var side: Double
        var color: String?
        var parameterNode: Parameters.Node { .object(["kind": kind, "side": side, "color": color]) }
    }

    private enum CodingKeys: String, CodingKey { case kind }
}
