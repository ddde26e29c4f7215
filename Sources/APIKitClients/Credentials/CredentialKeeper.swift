import APIKitCore

/// Remembers which credentials a server has refused and what has replaced them, and has each one replaced (refreshed)
/// once for any number of requests.
final class CredentialKeeper: Sendable {
    /// What is known of a credential that was refused or is about to expire.
    private struct Entry: Sendable {
        let position: Int
        var isRefused = false
        /// Whether the source has been asked for a replacement, and has not thrown; it may have returned nil.
        var wasSourceAsked = false
        /// Its replacement. Chains of replacements are acyclic.
        var successor: Credential?
        /// The last error of the source, and how many there had been.
        var failure: (number: Int, error: any Error)?
    }

    private struct State: Sendable {
        var entries: [Credential: Entry] = [:]
        /// The keys of the entries, in the order of their last use.
        var order = RecencyList<Credential>()
        var failures = 0

        /// What came in place of a credential, at the end of all links; the credential itself if nothing did.
        mutating func newest(_ credential: Credential) -> Credential {
            var newest = credential
            while let entry = entries[newest] {
                order.use(entry.position)
                guard let successor = entry.successor else { break }
                newest = successor
            }
            // Shortens the chain for a source that always offers the same credential.
            if newest != credential { entries[credential]?.successor = newest }
            return newest
        }

        /// The error of the last refresh to fail, if that was after the given number of failures.
        func error(of credential: Credential, since failures: Int) -> (any Error)? {
            entries[credential]?.failure.flatMap { $0.number > failures ? $0.error : nil }
        }

        /// Changes an entry. The 1,000 that were used last are kept.
        mutating func update(_ credential: Credential, _ change: (inout Entry) -> Void) {
            var entry = entries[credential] ?? Entry(position: order.insert(credential))
            order.use(entry.position)
            change(&entry)
            entries[credential] = entry
            if entries.count > 1000, let oldest = order.oldest, let removed = order.remove(oldest) {
                entries[removed] = nil
            }
        }
    }

    private enum Step: Sendable {
        case use(Credential?)
        case replace(Credential)
        case fail(any Error, Credential)
    }

    /// The replacement that this task belongs to.
    @TaskLocal private static var replacing: Replacement?

    private let source: any CredentialSource
    private let fixed: Credential?
    private let leeway: Double
    private let now: @Sendable () -> Date
    private let state = Locked(State())
    /// What the replacement of a credential waits for: replacements by other keepers.
    let waits = Locked<[Credential: [Replacement]]>([:])
    private let work = SharedWork<Credential, Void>()

    init(source: any CredentialSource, leeway: Duration, now: @escaping @Sendable () -> Date) {
        self.source = source
        fixed = source as? Credential
        self.leeway = Double(leeway.components.seconds) + Double(leeway.components.attoseconds) / 1e18
        self.now = now
    }

    /// Whether a credential can be replaced.
    var hasSource: Bool { fixed == nil }

    /// Whether this task is the source's own.
    var isAskedFromHere: Bool { Circle.contains(self) }

    /// How many replacements have failed.
    var failures: Int { state.withLock { $0.failures } }

    /// Remembers that the server has refused a credential.
    func refuse(_ credential: Credential) {
        // One that nothing can replace is sent again: the next 401 says more than a request without it.
        if fixed != nil { return }
        state.withLock { state in
            state.update(credential) { entry in
                // A source that had nothing new before the end of the credential may have it now.
                if !entry.isRefused, entry.successor == nil { entry.wasSourceAsked = false }
                entry.isRefused = true
            }
        }
    }

    /// The credential to send with a request now; nil if there is none, or the request has its own.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - failures: The ``failures`` when the request began. It does not ask the source again after a later one.
    /// - Returns: The credential.
    /// - Throws: What the source throws; `CancellationError` if the task is cancelled.
    func credential(for request: HTTPRequest, since failures: Int) async throws -> Credential? {
        if let fixed { return fixed.isOverridden(by: request) ? nil : fixed }
        guard let offered = try await offered(), !offered.isOverridden(by: request) else { return nil }
        var deadline: Date? = now().addingTimeInterval(leeway)
        while true {
            switch step(from: offered, deadline: deadline, since: failures) {
            case .use(let credential): return credential.flatMap { $0.isOverridden(by: request) ? nil : $0 }
            case .fail(let error, let credential):
                if isUsable(credential) { return credential }
                throw error
            case .replace(let credential):
                do {
                    try await waitForReplacement(of: credential, since: failures)
                } catch  where !Task.isCancelled && isUsable(credential) {
                    return credential
                }
            }
            // What has just come is used even if it is about to expire too.
            deadline = nil
        }
    }

    /// Whether a credential that was to be replaced early can still be sent.
    private func isUsable(_ credential: Credential) -> Bool {
        let isRefused = state.withLock { $0.entries[credential]?.isRefused ?? false }
        return !isRefused && credential.expires.map { $0 > now() } ?? false
    }

    /// What the source would send.
    private func offered() async throws -> Credential? {
        try await Circle.work(for: self) {
            try await source.credential()
        }
    }

    private func step(from offered: Credential, deadline: Date?, since failures: Int) -> Step {
        state.withLock { state in
            let credential = state.newest(offered)
            let entry = state.entries[credential]
            let isRefused = entry?.isRefused == true
            let isExpiring =
                deadline.flatMap { deadline in credential.expires.map { $0.timeIntervalSince(deadline) <= 0 } } ?? false
            guard isRefused || isExpiring else { return .use(credential) }
            if entry?.wasSourceAsked == true { return .use(isRefused ? nil : credential) }
            if let error = state.error(of: credential, since: failures) { return .fail(error, credential) }
            return .replace(credential)
        }
    }

    /// Waits until the source has been asked.
    ///
    /// - Throws: What the source throws; ``TransportError`` if this is part of a replacement that the source waits for.
    private func waitForReplacement(of credential: Credential, since failures: Int) async throws {
        let replacement = Replacement(keeper: self, credential: credential)
        let outer = Self.replacing
        outer?.startWaiting(for: replacement)
        defer { outer?.stopWaiting(for: replacement) }
        // The last one to join a cycle sees all the others waiting.
        if let outer, replacement.waits(for: outer) {
            throw TransportError(.unsupported, "two credential sources wait for each other's credentials")
        }
        try await work.value(for: credential) {
            try await Self.$replacing.withValue(replacement) { try await self.replace(credential, since: failures) }
        }
    }

    /// Asks the source. Runs once at a time for each credential.
    private func replace(_ credential: Credential, since failures: Int) async throws {
        // Another request may have had an answer between this one's look at the state and now.
        let (wasSourceAsked, error) = state.withLock { state in
            (state.entries[credential]?.wasSourceAsked == true, state.error(of: credential, since: failures))
        }
        if let error { throw error }
        if wasSourceAsked { return }
        do {
            let next = try await Circle.work(for: self) {
                try await source.replacement(for: credential)
            }
            state.withLock { state in
                // The next one may be refused already: the source can hand it out before it returns here.
                let successor = next.flatMap { state.newest($0) == credential ? nil : $0 }
                state.update(credential) { entry in
                    // The same one again, before its end, expires later.
                    entry.wasSourceAsked = entry.isRefused || next != credential
                    entry.successor = successor
                }
            }
        } catch {
            let isCancelled = Task.isCancelled
            state.withLock { state in
                guard !isCancelled else { return }
                state.failures += 1
                let failure = (state.failures, error)
                state.update(credential) { $0.failure = failure }
            }
            throw error
        }
    }
}
