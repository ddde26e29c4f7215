import APIKit

/// The request as httpbin received it.
struct Echo: JSONResponse {
    let method: String?
    let url: String
    let args: [String: Values]
    let form: [String: Values]?
    let files: [String: Values]?
    let data: String?
    let json: JSONValue?
    let headers: [String: String]

    func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name.lowercased() }?.value }
}

/// The values of one name, which httpbin writes as a string or, if there are several, as a list.
struct Values: Decodable, Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    let all: [String]

    init(stringLiteral value: String) { all = [value] }
    init(arrayLiteral elements: String...) { all = elements }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        all = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }
}
