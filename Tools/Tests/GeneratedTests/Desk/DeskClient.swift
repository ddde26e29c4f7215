public import APIKit

/// A client for the Desk API.
///
/// ```swift
/// let client = URLSession.api.authorized(by: .desk(token: token), for: .desk(accountID: accountID))
/// let desk = DeskClient(accountID: accountID, client: client)
/// ```
public nonisolated struct DeskClient: Sendable {
    let client: any APIClient

    /// Creates a client that sends its requests with another one, which adds credentials.
    public init(accountID: Int, client: any APIClient) {
        self.client = client.based(at: .desk(accountID: accountID), insteadOf: .desk)
    }
}
