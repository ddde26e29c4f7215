import FlyingFox
import Foundation

/// Imitates GitHub's users as an API in production: with tokens that expire, a rate limit, validators and failures.
struct StrictGitHubAPI: HTTPHandler {
    private let users = GitHubAPI()
    private let state = State()

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        if request.method == .POST, request.path == "/token" {
            return HTTPResponse(.ok, ["access_token": .string(await state.newToken())])
        }
        switch await state.verdict(on: request.headers[.authorization]) {
        case .unauthorized: return HTTPResponse(.unauthorized, ["message": "Bad credentials"])
        case .limited:
            return HTTPResponse(
                .tooManyRequests, ["message": "You have exceeded a rate limit"], headers: [.retryAfter: "1"])
        case .broken: return HTTPResponse(.serviceUnavailable, ["message": "Unicorn!"])
        case .served: break
        }
        var response = try await users.handleRequest(request)
        guard response.statusCode == .ok else { return response }
        let tag = "\"\(try await response.bodyData.checksum)\""
        let isList = request.path == "/users"
        response.headers[.eTag] = tag
        response.headers[HTTPHeader("Cache-Control")] = isList ? "private, no-cache" : "private, max-age=60"
        guard request.headers[HTTPHeader("If-None-Match")] == tag else { return response }
        return HTTPResponse(statusCode: .notModified, headers: response.headers)
    }

    private enum Verdict {
        case served, unauthorized, limited, broken
    }

    private actor State {
        private var tokens = 0
        private var served = 0
        private var usesLeft = 0

        /// A token for ten requests.
        func newToken() -> String {
            tokens += 1
            usesLeft = 10
            return "token-\(tokens)"
        }

        /// Every fifth request fails, and every eighth meets the rate limit.
        func verdict(on authorization: String?) -> Verdict {
            guard authorization == "Bearer token-\(tokens)", usesLeft > 0 else { return .unauthorized }
            usesLeft -= 1
            served += 1
            if served.isMultiple(of: 8) { return .limited }
            return served.isMultiple(of: 5) ? .broken : .served
        }
    }
}

extension HTTPHeader {
    fileprivate static let eTag = HTTPHeader("ETag")
    fileprivate static let retryAfter = HTTPHeader("Retry-After")
}

extension Data {
    /// A number that differs for different bytes, most likely (FNV-1a).
    fileprivate var checksum: String {
        String(reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }, radix: 16)
    }
}
