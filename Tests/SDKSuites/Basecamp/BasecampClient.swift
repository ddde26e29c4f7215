public import APIKit

/// A client of Basecamp's API for one account.
public struct BasecampClient: Sendable {
    let client: any APIClient
    let origin: APIBase
    let pageLimit: Int?

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - credentials: A token such as `.bearer("…")`, or a source of tokens such as an `OAuth`.
    ///   - account: The number of the account.
    ///   - url: Where the API is: a URL with https, or one on this machine.
    ///   - attempts: The most times that a request is sent.
    ///   - pageLimit: The most pages that are read of a list; nil for all.
    ///   - client: The network, such as a session, a stub or a wrapped client.
    /// - Throws: A ``BasecampFailure`` with the code `usage` if requests would be sent in the clear.
    public init(
        credentials: some CredentialSource, account: String, at url: String = "https://3.basecampapi.com",
        attempts: Int = 3, pageLimit: Int? = nil, on client: any APIClient = URLSession.api
    ) throws(BasecampFailure) {
        origin = APIBase(url)
        guard origin.url?.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(origin.url?.host()) else {
            throw BasecampFailure(code: .usage, message: "The URL of the API needs https.")
        }
        var policy = RetryPolicy.backoff(attempts: attempts, initialDelay: .seconds(1)) {
            $0 * Double.random(in: 1...1.1)
        }
        policy.statuses = [429, 503]
        self.pageLimit = pageLimit
        self.client =
            client
            .based(at: APIBase("\(url)/\(account)"), insteadOf: .basecamp)
            .adding(headers: ["User-Agent": "basecamp-sdk-suite/1.0"])
            .authorized(by: credentials, for: origin)
            .retrying(policy)
    }

    /// Sends a request of the API.
    func send<R: APIRequest>(_ request: R) async throws(BasecampFailure) -> R.Response.Model {
        do { return try await client.send(request) } catch { throw BasecampFailure(error) }
    }
}
