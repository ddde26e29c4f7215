public import APIKit

extension HeyClient {
    /// Creates a client.
    ///
    /// - Parameters:
    ///   - credentials: A token such as `.bearer("…")`, or a source of tokens such as an `OAuth`.
    ///   - url: Where the API is: a URL with https, or one on this machine.
    ///   - network: The network, such as a session, a stub or a wrapped client.
    /// - Throws: If requests would be sent in the clear.
    public init(
        credentials: some CredentialSource, at url: String = "https://app.hey.com",
        on network: any APIClient = URLSession.api
    ) throws(APIError<HeyError>) {
        let base = APIBase(url)
        guard base.url?.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(base.url?.host()) else {
            throw .invalidRequest(RequestError(.baseURL, "the URL of the API needs https", url: base.url))
        }
        let policy = RetryPolicy.backoff(attempts: 3, initialDelay: .seconds(1)) { $0 * Double.random(in: 1...1.1) }
        self.init(
            client:
                network
                .based(at: base, insteadOf: .hey)
                .adding(headers: ["User-Agent": "hey-sdk-suite/1.0"])
                .authorized(by: credentials, for: base)
                .retrying(policy))
    }

    /// A client that gets only what belongs to one of the user's accounts.
    public func filtered(by account: Int64) async throws(APIError<HeyError>) -> HeyClient {
        guard try await client.send(IdentityRequest()).accounts?.contains(where: { $0.id == account }) == true else {
            throw .invalidRequest(RequestError(.parameters, "the user has no account \(account)"))
        }
        return HeyClient(client: client.adding(query: ["filtered_account_id": account]))
    }

    /// The time track that is running; nil if none is.
    public func ongoingTimeTrack() async throws(APIError<HeyError>) -> Recording? {
        do {
            return try await client.send(OngoingTimeTrackRequest())
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}
