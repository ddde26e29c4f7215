import APIKit

// Every response of this API is an envelope, {"meta": {"code": …}, "response": {…}}, which one generic type unwraps for
// all endpoints. A meta with a failure becomes the same error with status 200 as with 401. (`nonisolated` is for
// modules isolated to the main actor, as new app projects are; elsewhere it changes nothing.)

nonisolated protocol FoursquareRequest: APIRequest {
    associatedtype Failure = FoursquareError
    var token: String? { get }
}

nonisolated extension FoursquareRequest {
    var base: APIBase {
        APIBase(
            "https://api.foursquare.com/v2", headers: [.authorization: token.map { "Bearer \($0)" }],
            query: ["v": "20261101", "client_id": "apikit-example"])
    }
}

struct FoursquareError: JSONResponse, Error {
    let code: Int
    let type: String
    let detail: String?

    init(from decoder: any Decoder) throws {
        let meta = try decoder.container(keyedBy: CodingKeys.self).nestedContainer(keyedBy: Meta.self, forKey: .meta)
        code = try meta.decode(Int.self, forKey: .code)
        type = try meta.decode(String.self, forKey: .errorType)
        detail = try meta.decodeIfPresent(String.self, forKey: .errorDetail)
    }

    private enum CodingKeys: CodingKey {
        case meta
    }

    private enum Meta: CodingKey {
        case code
        case errorType
        case errorDetail
    }
}

nonisolated enum Enveloped<Content: Decodable & Sendable>: APIResponse {
    typealias Model = Content

    static var acceptedTypes: [MIMEType] { [.json] }

    static func process(data: Data) throws -> Content {
        if let failure = try? FoursquareError.process(data: data) { throw failure }
        return try JSON<Envelope>.process(data: data).response
    }

    private struct Envelope: Decodable, Sendable {
        let response: Content
    }
}

/// Searches for venues near a place.
struct VenuesRequest: FoursquareRequest {
    var token: String?
    var near: String
    var what: String?

    typealias Response = Enveloped<Venues>
    var path: URLPath { "venues/search" }
    var parameters: Parameters { ["near": near, "query": what, "limit": 10] }
}

nonisolated struct Venues: Decodable, Sendable {
    let venues: [Venue]
}

nonisolated struct Venue: Decodable, Sendable {
    let name: String
    let location: Location
    let categories: [Category]

    struct Location: Decodable, Sendable {
        let address: String?
        let city: String?
    }

    struct Category: Decodable, Sendable {
        let name: String
    }
}
