import APIKit

enum Tree: JSONResponse {
    case dictionary([String: Tree])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = .dictionary(try container.decode([String: Tree].self))
    }
}
