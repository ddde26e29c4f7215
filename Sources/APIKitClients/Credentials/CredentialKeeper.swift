import APIKitCore

/// Chooses the credential of each request, and has a credential replaced (refreshed) once for any number of requests.
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

    /// Whether a credential can be replaced.
    var hasSource: Bool { fixed == nil }

    /// Whether this task is the source's own.
    var isAskedFromHere: Bool { TaskOwners.contains(self) }

    /// How often the source has failed to replace a credential.
    var failureCount: Int { records.withLock { $0.failureCount } }

    /// Remembers that the server has refused a credential.
    func refuse(_ credential: Credential) {
        // One that nothing can replace is sent again: the next 401 says more than a request without it.
        guard hasSource else { return }
        records.withLock { $0.setRefused(credential) }
    }

    /// The credential to send with a request now; nil if there is none, or the request has its own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - failureCount: The ``failureCount`` when the request began. It does not ask the source again after a later
    ///     failure.
    /// - Returns: The credential.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(for request: HTTPRequest, since failureCount: Int) async throws -> Credential? {
        if let fixed { return fixed.isOverridden(by: request) ? nil : fixed }
        let offered = try await TaskOwners.adding(self) { try await source.credential() }
        guard let offered, !offered.isOverridden(by: request) else { return nil }
        let credential = try await currentCredential(for: offered, since: failureCount)
        guard let credential, !credential.isOverridden(by: request) else { return nil }
        return credential
    }

    /// The credential to send in place of one that the source has offered.
    private func currentCredential(for offered: Credential, since failureCount: Int) async throws -> Credential? {
        var deadline: Date? = now().addingTimeInterval(leeway)
        while true {
            let decision = records.withLock { [deadline] records in
                records.decision(about: offered, validAt: deadline, since: failureCount)
            }
            switch decision {
            case .send(let credential):
                return credential
            case .fail(let credential, let error):
                guard isStillValid(credential) else { throw error }
                return credential
            case .replace(let credential):
                do {
                    try await waitForReplacement(of: credential, since: failureCount)
                } catch {
                    guard !Task.isCancelled, isStillValid(credential) else { throw error }
                    return credential
                }
            }
            // A replacement is sent even if it is about to expire too.
            deadline = nil
        }
    }

    /// Whether a credential that was to be replaced early can still be sent.
    private func isStillValid(_ credential: Credential) -> Bool {
        guard let expires = credential.expires, expires > now() else { return false }
        return !records.withLock { $0.isRefused(credential) }
    }

    /// Has the source asked for a replacement, once for all requests that wait for it.
    private func shareReplacement(of credential: Credential, since failureCount: Int) async throws {
        try await replacements.value(for: credential) {
            try await Self.$replacing.withValue(self) { try await self.replace(credential, since: failureCount) }
        }
    }

    /// Asks the source for a replacement.
    private func replace(_ credential: Credential, since failureCount: Int) async throws {
        // Another request may have had an answer since this one decided to ask.
        if let error = records.withLock({ $0.error(of: credential, since: failureCount) }) { throw error }
        guard records.withLock({ $0.isReplaceable(credential) }) else { return }
        do {
            let next = try await TaskOwners.adding(self) { try await source.replacement(for: credential) }
            records.withLock { $0.setReplacement(next, of: credential) }
        } catch {
            // Without anybody who waits, a failure says nothing of the source.
            if !Task.isCancelled { records.withLock { $0.setError(error, of: credential) } }
            throw error
        }
    }

    // MARK: - Sources that need each other

    /// The keeper for whose replacement this task works.
    @TaskLocal private static var replacing: CredentialKeeper?
    /// The keepers whose replacements those of this one wait for, since its source sends requests with their
    /// credentials.
    private let awaited = Locked<[CredentialKeeper]>([])

    /// Waits until the source has been asked.
    ///
    /// - Throws: What the source throws; ``TransportError`` if two sources would wait for each other forever.
    private func waitForReplacement(of credential: Credential, since failureCount: Int) async throws {
        guard let waiting = Self.replacing else {
            return try await shareReplacement(of: credential, since: failureCount)
        }
        waiting.awaited.withLock { $0.append(self) }
        defer { waiting.stopWaiting(for: self) }
        // The last one to join a circle sees all the others waiting.
        guard !isWaiting(for: waiting) else {
            throw TransportError(.unsupported, "two credential sources wait for each other's credentials")
        }
        try await shareReplacement(of: credential, since: failureCount)
    }

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
