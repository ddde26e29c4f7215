import FlyingFox
import Foundation

/// Imitates the venue search of Foursquare's API, version 2.
struct FoursquareAPI: HTTPHandler {
    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard request.method == .GET, request.path == "/v2/venues/search" else {
            return refusal(.notFound, "other", "Endpoint not found")
        }
        return refusal(of: request) ?? search(request)
    }

    private func search(_ request: HTTPRequest) -> HTTPResponse {
        guard let near = request.queryValue("near"), !near.isEmpty else {
            return parameterError("Must provide parameters (ll and radius) or (sw and ne) or (near and radius)")
        }
        guard let limit = Int(request.queryValue("limit") ?? "30"), limit >= 1 else {
            return parameterError("limit must be a positive integer")
        }
        let local = FoursquareVenue.all.filter { $0.isNear(near) }
        guard !local.isEmpty else {
            return refusal(.badRequest, "failed_geocode", "Couldn't geocode param near: \(near)")
        }
        let query = request.queryValue("query") ?? ""
        let venues = local.filter { query.isEmpty || $0.matches(query) }.prefix(min(limit, 50))
        let body: JSON = [
            "meta": ["code": 200, "requestId": requestID()],
            "response": ["venues": .array(venues.map(\.json))],
        ]
        return HTTPResponse(.ok, body)
    }

    // MARK: - Refusals

    /// The response to an unauthorized or invalid request; nil for any other.
    private func refusal(of request: HTTPRequest) -> HTTPResponse? {
        guard let version = request.queryValue("v"), version.utf8.count == 8, Int(version) != nil else {
            return parameterError("Must provide parameter v, a date as YYYYMMDD")
        }
        guard request.queryValue("client_id")?.isEmpty == false else {
            return parameterError("Must provide parameter client_id")
        }
        let token = token(of: request)
        if token == "demo" { return nil }
        // The peculiarity of Foursquare that the example shows: only the body says that the token is wrong.
        var response = refusal(
            token == nil ? .unauthorized : .ok,
            "invalid_auth",
            "OAuth token invalid or revoked.",
            code: 401
        )
        if token == nil { response.headers[HTTPHeader("WWW-Authenticate")] = "Bearer" }
        return response
    }

    /// The token in the query, or in `Authorization: Bearer …` or `Authorization: OAuth …`.
    private func token(of request: HTTPRequest) -> String? {
        if let token = request.queryValue("oauth_token"), !token.isEmpty { return token }
        let words = (request.headers[.authorization] ?? "").split(separator: " ")
        guard words.count == 2, ["bearer", "oauth"].contains(words[0].lowercased()) else { return nil }
        return String(words[1])
    }

    private func parameterError(_ detail: String) -> HTTPResponse {
        refusal(.badRequest, "param_error", detail)
    }

    private func refusal(
        _ status: HTTPStatusCode,
        _ type: String,
        _ detail: String,
        code: Int? = nil
    ) -> HTTPResponse {
        let meta: JSON = [
            "code": .integer(code ?? status.code),
            "errorType": .string(type),
            "errorDetail": .string(detail),
            "requestId": requestID(),
        ]
        return HTTPResponse(status, ["meta": meta, "response": [:]])
    }

    /// 24 hexadecimal digits, like Foursquare's.
    private func requestID() -> JSON {
        .string(String(UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(24)))
    }
}
