import APIKitCore
import APIKitSupport

/// Chooses the credential of each request, and has a credential replaced (refreshed) once for any number of requests.
///
/// ``CredentialRecords`` decides which credential is sent, and when one has to be replaced. This class asks the source
/// for what is to be remembered there, once for any number of requests:
///
/// | Request | The credential can be sent | It must be replaced | It is being replaced already |
/// | --- | --- | --- | --- |
/// | of the program | is sent with it | asks the source | waits for the source's answer |
/// | of a source, such as its token refresh | is sent with it | asks the source | is sent with what is known |
/// | of the source that is asked | is sent without a credential | is sent without | is sent without |
///
/// The client decides the last line (``isWithinSource``), and does not ask this class then.
///
/// So a source waits for another one only if it has itself caused the question to that one, and sources that need each
/// other's credentials never wait in a circle.
final class CredentialKeeper: Sendable {
    private let source: any CredentialSource
    /// The credential that is given directly, instead of a source of the program. Nothing can replace it.
    private let fixed: Credential?
    /// The seconds before its expiry at which a credential is replaced.
    private let leeway: Double
    private let now: @Sendable () -> Date
    private let records = Locked(CredentialRecords())
    /// The questions that the source has not answered yet, by the credential that they are about.
    private let questions = SharedWork<Credential, Question>()

    /// What the source is asked about a credential.
    private enum Question: Sendable, Equatable {
        /// Another one for all requests.
        case replacement
        /// Another one for requests that the server has refused with these challenges.
        case sufficient(challenges: [String])
    }

    init(source: any CredentialSource, leeway: Duration, now: @escaping @Sendable () -> Date) {
        self.source = source
        fixed = source as? Credential
        self.leeway = leeway / .seconds(1)
        self.now = now
    }

    /// Whether there is a source that can replace a credential.
    var canReplace: Bool { fixed == nil }

    /// Whether the current task runs the source, for example sends its token refresh. It must not wait for the
    /// credential that it is about to return.
    var isWithinSource: Bool { TaskOwners.contains(self) }

    /// The number of the source's last failure to replace a credential; 0 if it has not failed yet.
    var lastFailure: Int { records.withLock { $0.lastFailure } }

    /// Remembers that the server has refused a credential, and the response that says so.
    func refuse(_ credential: Credential, with response: HTTPResponse) {
        // A fixed credential has no replacement and is sent again: another 401 is clearer than a request without it.
        guard canReplace else { return }
        records.withLock { $0.setRefused(credential, by: response) }
    }

    /// Returns the credential to send with a request now, after asking the source for a replacement if necessary.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - earlierFailure: The ``lastFailure`` when the request began. If the source has failed since then, the request
    ///     does not ask it again.
    /// - Returns: The credential; nil if there is none, or if the request has a header or query item of its name.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(for request: HTTPRequest, since earlierFailure: Int) async throws -> Credential? {
        if let fixed { return fixed.isOverridden(by: request) ? nil : fixed }
        let offered = try await TaskOwners.adding(self) { try await source.credential() }
        guard let offered, !offered.isOverridden(by: request) else { return nil }
        let credential = try await currentCredential(for: offered, since: earlierFailure)
        // The replacement may be sent under another name than the offered credential.
        guard let credential, !credential.isOverridden(by: request) else { return nil }
        return credential
    }

    /// Returns a credential that may suffice for a request, in place of one that the server has understood but refused
    /// for this request. Whatever the source returns or throws, the old one stays valid for others.
    ///
    /// - Returns: The other credential; nil if there is none, or if the request has a header or query item of its name.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(
        sufficingInsteadOf credential: Credential, refusedBy refusal: HTTPResponse, for request: HTTPRequest
    ) async throws -> Credential? {
        let question = Question.sufficient(challenges: refusal.head.headers.values(for: .wwwAuthenticate))
        while true {
            // Another request may have had it replaced meanwhile.
            if let next = records.withLock({ $0.successor(of: credential) }) {
                return next.isOverridden(by: request) ? nil : next
            }
            let answered = try await askOnce(about: credential) {
                let next = try await TaskOwners.adding(self) {
                    try await self.source.replacement(for: credential, refusedBy: refusal)
                }
                if let next { self.records.withLock { _ = $0.setSuccessor(next, of: credential) } }
                return question
            }
            // The answer to another request's question, such as for another scope, says nothing about this one.
            let isAnswered = answered == nil || answered == question
            if isAnswered, records.withLock({ $0.successor(of: credential) }) == nil { return nil }
        }
    }

    /// Returns the credential to send in place of one that the source has offered: the same one or its latest
    /// replacement, for which the source is asked if necessary.
    ///
    /// - Parameters:
    ///   - offered: The credential that the source has offered.
    ///   - earlierFailure: The number of the last failure to replace a credential before the request began. The request
    ///     fails with a later one, and does not ask again.
    /// - Returns: The credential; nil if the server has refused it, and the request must not wait for its replacement.
    /// - Throws: What the source throws.
    private func currentCredential(for offered: Credential, since earlierFailure: Int) async throws -> Credential? {
        var wasReplaced = false
        while true {
            // A replacement is sent even if it expires within the leeway. Otherwise, short-lived ones would be replaced
            // without end.
            let deadline = wasReplaced ? nil : now().addingTimeInterval(leeway)
            let decision = records.withLock { $0.decision(about: offered, validAt: deadline, since: earlierFailure) }
            switch decision {
            case .send(let credential):
                return credential
            case .fail(let credential, let error):
                guard isStillValid(credential) else { throw error }
                return credential
            case .replace(let credential):
                do {
                    let answered = try await askOnce(about: credential) {
                        try await self.askSource(toReplace: credential, since: earlierFailure)
                        return .replacement
                    }
                    guard let answered else {
                        // A request of a source does not wait for a question of somebody else, and sends what is known.
                        return isRefused(credential) ? nil : credential
                    }
                    // The next pass finds the answer in the records. If another request had asked for a credential with
                    // more permissions, this one's question is still open, and the next pass asks it.
                    if answered == .replacement { wasReplaced = true }
                } catch {
                    guard !Task.isCancelled, isStillValid(credential) else { throw error }
                    return credential
                }
            }
        }
    }

    /// Whether a credential that could not be replaced before it expires can still be sent: it has not expired yet, and
    /// the server has not refused it.
    private func isStillValid(_ credential: Credential) -> Bool {
        guard let expires = credential.expires, expires > now() else { return false }
        return !isRefused(credential)
    }

    private func isRefused(_ credential: Credential) -> Bool { records.withLock { $0.isRefused(credential) } }

    /// Asks the source about a credential, unless another request has already asked and waits for the answer. Then
    /// waits with that one, which a request of a source never does.
    ///
    /// - Returns: The question that the source has answered, which may be that of the other request; nil if this
    ///   request does not wait for the answer.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    @inline(never)
    private func askOnce(
        about credential: Credential, _ ask: @escaping @Sendable () async throws -> Question
    ) async throws -> Question? {
        let isOfSource = TaskOwners.containsAny(CredentialKeeper.self)
        if isOfSource { return try await questions.valueUnlessRunning(for: credential, ask) }
        return try await questions.value(for: credential, ask)
    }

    /// Asks the source for a replacement, and remembers what it returns or throws.
    private func askSource(toReplace credential: Credential, since earlierFailure: Int) async throws {
        // Another request may have asked the source since this one decided to. Then its result counts.
        if let error = records.withLock({ $0.error(of: credential, since: earlierFailure) }) { throw error }
        guard records.withLock({ $0.isReplaceable(credential) }) else { return }
        do {
            let refusal = records.withLock { $0.refusal(of: credential) }
            let next = try await TaskOwners.adding(self) {
                if let refusal {
                    return try await source.replacement(for: credential, refusedBy: refusal)
                } else {
                    return try await source.replacement(for: credential)
                }
            }
            records.withLock { $0.setReplacement(next, of: credential, hasSeenRefusal: refusal != nil) }
        } catch {
            // If all waiting requests were cancelled, so was this task, and the error does not mean that the source
            // failed.
            if !Task.isCancelled { records.withLock { $0.setError(error, of: credential) } }
            throw error
        }
    }
}
