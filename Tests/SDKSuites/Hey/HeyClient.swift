public import APIKit

/// A client of Hey's API.
public struct HeyClient: Sendable {
    let client: any APIClient

    private init(client: any APIClient) { self.client = client }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - credentials: A token such as `.bearer("…")`, or a source of tokens such as an `OAuth`.
    ///   - url: Where the API is: a URL with https, or one on this machine.
    ///   - client: The network, such as a session, a stub or a wrapped client.
    /// - Throws: A ``HeyFailure`` with the code `usage` if requests would be sent in the clear.
    public init(
        credentials: some CredentialSource, at url: String = "https://app.hey.com",
        on client: any APIClient = URLSession.api
    ) throws(HeyFailure) {
        let base = APIBase(url)
        guard base.url?.scheme == "https" || ["localhost", "127.0.0.1", "::1"].contains(base.url?.host()) else {
            throw HeyFailure(code: .usage, message: "The URL of the API needs https.")
        }
        var policy = RetryPolicy.backoff(attempts: 3, initialDelay: .seconds(1)) { $0 * Double.random(in: 1...1.1) }
        policy.statuses = [429, 503]
        self.init(
            client:
                client
                .based(at: base, insteadOf: .hey)
                .adding(headers: ["User-Agent": "hey-sdk-suite/1.0"])
                .authorized(by: credentials, for: base)
                .retrying(policy))
    }

    /// A client that gets only what belongs to one of the user's accounts.
    func filtered(by account: Int64) async throws(HeyFailure) -> HeyClient {
        guard try await send(IdentityRequest()).accounts?.contains(where: { $0.id == account }) == true else {
            throw HeyFailure(code: .usage, message: "The user has no account \(account).")
        }
        return HeyClient(client: client.adding(query: ["filtered_account_id": account]))
    }

    /// The time track that is running; nil if none is.
    func ongoingTimeTrack() async throws(HeyFailure) -> Recording? {
        do {
            return try await send(OngoingTimeTrackRequest())
        } catch  where error.code == .notFound {
            return nil
        } catch {
            throw error
        }
    }

    /// Sends a request of the API.
    func send<R: APIRequest>(_ request: R) async throws(HeyFailure) -> R.Response.Model {
        do { return try await client.send(request) } catch { throw HeyFailure(error) }
    }
}
