import APIKit
import APIKitTesting

struct UserRequest: APIRequest {
    typealias Response = Data
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "users/\("ada", name: "login")" }
}

struct TokenRequest: APIRequest {
    typealias Response = Data
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "token" }
    var method: HTTPMethod { .post }
}

struct StreamRequest: APIRequest {
    typealias Response = ByteStream
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "log" }
}

/// What must be in no log line, metric or span.
let secret = "s3cr3t-0f-ada"

/// A request with a secret wherever one can be.
struct SecretRequest: APIRequest {
    typealias Response = Data
    var base: APIBase { "https://api.example.com" }
    var path: URLPath { "users/\(secret, name: "login")/keys/\(secret)" }
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { [.authorization: "Bearer \(secret)", "X-Key": secret] }
    var query: Parameters { ["password": secret] }
    var parameters: Parameters { ["token": secret] }
}

/// Sends requests with secrets: one succeeds, one is refused, and one fails.
func sendSecrets(through client: (StubClient) -> any APIClient) async {
    let stub = StubClient().answering(
        SecretRequest.self,
        once: .status(200, headers: [.setCookie: "session=\(secret)"], body: Data(secret.utf8)),
        .status(401, headers: [.location: "https://ada:\(secret)@api.example.com/"], body: Data(secret.utf8)),
        .failure(TransportError(.connectionLost, "https://api.example.com/?token=\(secret)")))
    let wrapped = client(stub)
    for _ in 1...3 { _ = try? await wrapped.send(SecretRequest()) }
}

extension StubClient {
    /// A stub that answers at the third attempt. The pauses between them take no time.
    static var flaky: StubClient {
        StubClient(clock: ManualClock(skippingSleep: true)).answering(
            UserRequest.self, once: .status(503), .failure(TransportError(.timedOut)), .json("[]"))
    }
}
