import APIKit

enum Nest: JSONResponse {
    case items([Nest])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = .items(try container.decode([Nest].self))
    }
}
