import APIKit

// The code of the article Authentication, and of the doc comments of its clients, unchanged.

nonisolated struct Tokens: JSONResponse {
    let access: String
    let refresh: String
    let expires: Date
}

struct RefreshRequest: JSONRequest {
    typealias Response = Tokens
    let token: String
    var base: APIBase { "https://shop.example" }
    var method: HTTPMethod { .post }
    var path: URLPath { "refresh" }
    var parameters: Parameters { ["refresh_token": token] }
    var options: RequestOptions { RequestOptions(sendsBodyAcrossOrigins: false, addsCredentials: false) }
}

struct LoginRequest: JSONRequest {
    typealias Response = Tokens
    let user, password: String
    var base: APIBase { "https://shop.example" }
    var method: HTTPMethod { .post }
    var path: URLPath { "login" }
    var parameters: Parameters { ["user": user, "password": password] }
    var options: RequestOptions { RequestOptions(sendsBodyAcrossOrigins: false, addsCredentials: false) }
}

actor Session: CredentialSource {
    var tokens: Tokens
    init(_ tokens: Tokens) { self.tokens = tokens }
    func credential() -> Credential? {
        .bearer(tokens.access, expires: tokens.expires)
    }
    func replacement(for refused: Credential) async throws -> Credential? {
        tokens = try await URLSession.api.send(RefreshRequest(token: tokens.refresh))
        return credential()
    }
}

func authorize(token: String, key: String, password: String) -> [any APIClient] {
    let github = URLSession.api.authorized(
        by: .bearer(token), for: "https://api.github.com")
    let weather = URLSession.api.authorized(
        by: .query("appid", key), for: "https://api.weather.example/v3")
    let wiki = URLSession.api.authorized(
        by: .basic(user: "ada", password: password), for: "https://wiki.example")
    let shop = URLSession.api.authorized(
        by: .header("X-Shop-Key", key), for: "https://shop.example")
    return [github, weather, wiki, shop]
}

func authorizeOne(token: String) -> any APIClient {
    let client = URLSession.api.authorized(
        by: .bearer(token), for: "https://api.github.com")
    return client
}

func authorize(by tokens: Tokens) -> any APIClient {
    let session = Session(tokens)
    let client = URLSession.api.authorized(by: session, for: "https://shop.example")
    return client
}

nonisolated extension APIBase {
    static let assistant = APIBase("https://assistant.example/v1")
}

func authorize(by keys: some CredentialSource) -> any APIClient {
    let client = URLSession.api.authorized(by: keys, for: .assistant) { response in
        response.head.status == 401
            || response.body.text?.contains("insufficient_quota") == true
    }
    return client
}

func explainRefusal(_ response: HTTPResponse) {
    let challenges = response.head.headers.challenges
    if let bearer = challenges.first(where: { $0.scheme == .bearer }) {
        print(bearer["error_description"] ?? "Sign in")
    }
}

func rerouteAuthorized(to stagingURL: URL, token: String) -> any APIClient {
    let staging = URLSession.api.based(at: APIBase(stagingURL))
        .authorized(by: .bearer(token), for: "https://shop.example")
    return staging
}

func reroute() -> any APIClient {
    let client = URLSession.api.based(at: "http://localhost:8080/v1")
    return client
}

func addToAll() -> any APIClient {
    let client = URLSession.api.adding(
        headers: [.userAgent: "Shop/1.0"], query: ["lang": "en"])
    return client
}
