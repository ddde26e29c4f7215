public import APIKit

extension BasecampClient {
    /// Creates a client for one account.
    ///
    /// - Parameters:
    ///   - account: The number of the account.
    ///   - credentials: A token such as `.bearer("…")`, or a source of tokens such as an `OAuth`.
    ///   - url: Where the API is: a URL with https, or one on this machine.
    ///   - repeats: Whether requests are sent again after a temporary failure.
    ///   - network: The network, such as a session, a stub or a wrapped client.
    /// - Throws: If requests would be sent in the clear.
    public init(
        account: String, credentials: some CredentialSource, at url: String = "https://3.basecampapi.com",
        repeats: Bool = true, on network: any APIClient = URLSession.api
    ) throws(APIError<BasecampError>) {
        let origin = APIBase(url)
        guard origin.url?.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(origin.url?.host()) else {
            throw .invalidRequest(RequestError(.baseURL, "the URL of the API needs https", url: origin.url))
        }
        // Pauses of one second or a little more, which double.
        let policy = RetryPolicy.backoff(attempts: 3, initialDelay: .seconds(1)) { $0 * Double.random(in: 1...1.1) }
        let client =
            network
            .based(at: APIBase("\(url)/\(account)"), insteadOf: .basecamp)
            .adding(headers: ["User-Agent": "basecamp-sdk-suite/1.0"])
            .authorized(by: credentials, for: origin)
        self.client = repeats ? client.retrying(policy) : client
    }
}
