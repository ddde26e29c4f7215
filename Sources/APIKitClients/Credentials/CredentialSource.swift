import APIKitCore

/// Where ``APIClient/authorized(by:for:leeway:)`` gets its credentials from: a ``Credential`` itself, or a type of
/// yours that logs in, refreshes a token and keeps what the server returns. <doc:Authentication> shows one.
public protocol CredentialSource: Sendable {
    /// Returns the credential to send now; nil sends the request without one. A source that has none yet returns one
    /// that has expired, such as `.bearer("", expires: .distantPast)`: it is replaced before it is sent, once for all
    /// requests.
    ///
    /// It is called for each request, so it should return what is in memory. What it throws is thrown by the request.
    func credential() async throws -> Credential?

    /// Returns a replacement for a credential that the server has refused or that is about to expire; nil if there is
    /// no other.
    ///
    /// It is called once for each credential, however many requests wait for it. Only after it has thrown may a later
    /// request ask again. Its task is cancelled once no request is waiting; keep what a server has already returned.
    ///
    /// Requests that it sends through the authorized client are passed on without a credential. If the replacements of
    /// two clients would wait for each other, such a request throws a ``TransportError`` with the code `unsupported`. A
    /// detached task (`Task.detached`) is not recognized: a request of the source there can wait for the source
    /// forever. Send requests in the task in which the source is asked, or in its child tasks.
    func replacement(for refused: Credential) async throws -> Credential?
}

// MARK: - Default implementations

extension CredentialSource {
    /// Returns nil: a refused credential cannot be replaced.
    public func replacement(for refused: Credential) async throws -> Credential? { nil }
}

extension Credential: CredentialSource {
    /// The credential itself.
    public func credential() async throws -> Credential? { self }
}
