import APIKit

struct CreateIdentityRequest: EdgesRequest, JSONRequest {
    typealias Response = Identity
    var identity: Identity
    var name: String?

    var method: HTTPMethod { .post }
    var path: URLPath { "identities" }
    var parameters: Parameters { ["identity": identity, "name": name] }
}

struct Identity: JSONResponse, ParameterValue {
    var grid: [[Int?]]?
    var headers: [String: String?]?
    var numbers: [String?]?

    var parameterNode: Parameters.Node {
        .object([
            "grid": grid?.map { $0.compactMap { $0 } }, "headers": headers?.compactMapValues { $0 },
            "numbers": numbers?.compactMap { $0 },
        ])
    }
}
