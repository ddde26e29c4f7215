import APIKitCore
import APIKitSupport

/// Chooses the credential of each request, and has a credential replaced (refreshed) once for any number of requests.
///
/// Which credential is sent, and when one has to be replaced, is decided by ``CredentialRecords``. This class asks the
/// source for what is to be remembered there.
final class CredentialKeeper: Sendable {
    private let source: any CredentialSource
    /// The credential that is given directly instead of by a source. Nothing can replace it.
    private let fixed: Credential?
    /// The seconds before its expiry at which a credential is replaced.
    private let leeway: Double
    private let now: @Sendable () -> Date
    private let records = Locked(CredentialRecords())
    private let replacements = SharedWork<Credential, Void>()

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

    /// How often the source has failed to replace a credential so far.
    var failureCount: Int { records.withLock { $0.failureCount } }

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
    ///   - failureCount: The ``failureCount`` when the request began. If the source has failed since then, the request
    ///     does not ask it again.
    /// - Returns: The credential; nil if there is none, or if the request has a header or query item of its name.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(for request: HTTPRequest, since failureCount: Int) async throws -> Credential? {
        if let fixed { return fixed.isOverridden(by: request) ? nil : fixed }
        let offered = try await TaskOwners.adding(self) { try await source.credential() }
        guard let offered, !offered.isOverridden(by: request) else { return nil }
        let credential = try await currentCredential(for: offered, since: failureCount)
        // The replacement may be sent under another name than the offered credential.
        guard let credential, !credential.isOverridden(by: request) else { return nil }
        return credential
    }

    /// Returns a credential that may suffice for a request, in place of one that the server has understood but refused
    /// for this request. Whatever the source returns or throws, the old one stays valid for others.
    ///
    /// - Returns: The other credential; the same one or nil if there is none.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(
        sufficingInsteadOf credential: Credential, refusedBy refusal: HTTPResponse, for request: HTTPRequest
    ) async throws -> Credential? {
        // Another request may have had it replaced meanwhile.
        if let newest = records.withLock({ $0.successor(of: credential) }) { return newest }
        try await waitForReplacement(of: credential) {
            let next = try await TaskOwners.adding(self) {
                try await self.source.replacement(for: credential, refusedBy: refusal)
            }
            guard let next, next != credential else { return }
            self.records.withLock { $0.setReplacement(next, of: credential, hasSeenRefusal: true) }
        }
        guard let next = records.withLock({ $0.successor(of: credential) }), !next.isOverridden(by: request) else {
            return nil
        }
        return next
    }

    /// Returns the credential to send in place of one that the source has offered: the same one or its latest
    /// replacement, for which the source is asked if necessary.
    private func currentCredential(for offered: Credential, since failureCount: Int) async throws -> Credential? {
        var wasReplaced = false
        while true {
            // A replacement is sent even if it expires within the leeway. Otherwise, short-lived ones would be replaced
            // without end.
            let deadline = wasReplaced ? nil : now().addingTimeInterval(leeway)
            let decision = records.withLock { $0.decision(about: offered, validAt: deadline, since: failureCount) }
            switch decision {
            case .send(let credential):
                return credential
            case .fail(let credential, let error):
                guard isStillValid(credential) else { throw error }
                return credential
            case .replace(let credential):
                do {
                    try await waitForReplacement(of: credential) {
                        try await self.replace(credential, since: failureCount)
                    }
                } catch {
                    guard !Task.isCancelled, isStillValid(credential) else { throw error }
                    return credential
                }
                // The next pass finds the replacement in the records.
                wasReplaced = true
            }
        }
    }

    /// Whether a credential that could not be replaced before it expires can still be sent: it has not expired yet, and
    /// the server has not refused it.
    private func isStillValid(_ credential: Credential) -> Bool {
        guard let expires = credential.expires, expires > now() else { return false }
        return !records.withLock { $0.isRefused(credential) }
    }

    /// Has a credential replaced. If another request is already waiting for the same replacement, waits with it
    /// instead.
    private func shareReplacement(
        of credential: Credential, _ replace: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await replacements.value(for: credential) {
            try await Self.$replacing.withValue(self) { try await replace() }
        }
    }

    /// Asks the source for a replacement, and remembers what it returns or throws.
    private func replace(_ credential: Credential, since failureCount: Int) async throws {
        // Another request may have asked the source since this one decided to. Then its result counts.
        if let error = records.withLock({ $0.error(of: credential, since: failureCount) }) { throw error }
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

    // MARK: - Sources that need each other

    /// The keeper whose source is replacing a credential in the current task.
    @TaskLocal private static var replacing: CredentialKeeper?
    /// The keepers that the source of this one waits for at the moment: while it replaces its own credential, it sends
    /// requests with theirs. A keeper is listed once for each of these requests.
    private let awaited = Locked<[CredentialKeeper]>([])

    /// Waits for a replacement. If the current task belongs to another source, first checks that the two do not wait
    /// for each other.
    ///
    /// - Throws: What the source throws; ``TransportError`` if two sources would wait for each other forever.
    private func waitForReplacement(
        of credential: Credential, _ replace: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard let waiting = Self.replacing else { return try await shareReplacement(of: credential, replace) }
        waiting.awaited.withLock { $0.append(self) }
        defer { waiting.stopWaiting(for: self) }
        // Each keeper is registered as awaited before this check, so the one that closes a circle sees all others.
        guard !isWaiting(for: waiting) else {
            throw TransportError(.unsupported, "two credential sources wait for each other's credentials")
        }
        try await shareReplacement(of: credential, replace)
    }

    /// Removes one entry for another keeper from those that this one waits for.
    private func stopWaiting(for other: CredentialKeeper) {
        awaited.withLock { awaited in
            if let index = awaited.firstIndex(where: { $0 === other }) { awaited.remove(at: index) }
        }
    }

    /// Whether this keeper waits for another one, directly or through others.
    private func isWaiting(for other: CredentialKeeper) -> Bool {
        var visited: Set<ObjectIdentifier> = []
        var unvisited = [self]
        while let keeper = unvisited.popLast() {
            if keeper === other { return true }
            let isNew = visited.insert(ObjectIdentifier(keeper)).inserted
            if isNew { unvisited += keeper.awaited.withLock { $0 } }
        }
        return false
    }
}
