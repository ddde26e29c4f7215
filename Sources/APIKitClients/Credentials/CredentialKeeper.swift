import APIKitCore

/// Remembers which credentials a server has refused and what has replaced them, and has each one replaced (refreshed)
/// once for any number of requests.
final class CredentialKeeper: Sendable {
    /// What the server and the source have said of a credential; one without an entry is accepted.
    ///
    ///     accepted ────────── refuse ─────────▶ refused ── replace: no other ─▶ exhausted
    ///      │    │                                ▲   │
    ///      │    └ replace: no other ▶ last ─ refuse  └ replace: another one ──▶ replaced
    ///      └───── replace: another one ───────────────────────────────────────▶ replaced
    ///
    /// The source is asked for a replacement of an accepted credential shortly before that expires, and of a refused
    /// one at once. If it throws, the standing remains.
    private enum Standing: Sendable {
        case accepted
        /// The source had no other before this one expired, which is sent until it is refused.
        case last
        case refused
        /// Requests are sent without a credential.
        case exhausted
        /// Chains of replacements are acyclic.
        case replaced(by: Credential)

        var isRefused: Bool {
            switch self {
            case .refused, .exhausted: true
            case .accepted, .last, .replaced: false
            }
        }

        /// Whether the source can be asked for a replacement.
        var isReplaceable: Bool {
            switch self {
            case .accepted, .refused: true
            case .last, .exhausted, .replaced: false
            }
        }
    }

    private struct Entry: Sendable {
        let position: Int
        var standing = Standing.accepted
        /// The last error of the source, and how many there had been.
        var failure: (number: Int, error: any Error)?
    }

    private struct State: Sendable {
        var entries: [Credential: Entry] = [:]
        /// The keys of the entries, in the order of their last use.
        var order = RecencyList<Credential>()
        var failures = 0

        func standing(of credential: Credential) -> Standing { entries[credential]?.standing ?? .accepted }

        /// The end of a credential's chain of replacements; the credential itself if it has none.
        mutating func newest(_ credential: Credential) -> Credential {
            var newest = credential
            while let entry = entries[newest] {
                order.use(entry.position)
                guard case .replaced(let successor) = entry.standing else { break }
                newest = successor
            }
            // Shortens the chain for a source that always offers the same credential.
            if newest != credential { entries[credential]?.standing = .replaced(by: newest) }
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
    /// The replacements by other keepers that the replacement of a credential waits for.
    let waits = Locked<[(credential: Credential, other: Replacement)]>([])
    private let work = SharedWork<Credential, Void>()

    init(source: any CredentialSource, leeway: Duration, now: @escaping @Sendable () -> Date) {
        self.source = source
        fixed = source as? Credential
        self.leeway = leeway / .seconds(1)
        self.now = now
    }

    /// Whether a credential can be replaced.
    var hasSource: Bool { fixed == nil }

    /// Whether this task is the source's own.
    var isAskedFromHere: Bool { Circle.contains(self) }

    /// The number of replacements that have failed.
    var failures: Int { state.withLock { $0.failures } }

    /// Remembers that the server has refused a credential.
    func refuse(_ credential: Credential) {
        // One that nothing can replace is sent again: the next 401 says more than a request without it.
        if fixed != nil { return }
        state.withLock { state in
            state.update(credential) { entry in
                switch entry.standing {
                // The source may now have another one.
                case .accepted, .last: entry.standing = .refused
                case .refused, .exhausted, .replaced: break
                }
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
        !state.withLock { $0.standing(of: credential).isRefused } && credential.expires.map { $0 > now() } ?? false
    }

    /// The credential that the source would send.
    private func offered() async throws -> Credential? {
        try await Circle.work(for: self) {
            try await source.credential()
        }
    }

    private func step(from offered: Credential, deadline: Date?, since failures: Int) -> Step {
        state.withLock { state in
            let credential = state.newest(offered)
            switch state.standing(of: credential) {
            case .exhausted: return .use(nil)
            case .last, .replaced: return .use(credential)
            case .accepted where !credential.expires(by: deadline): return .use(credential)
            case .accepted, .refused:
                return state.error(of: credential, since: failures).map { .fail($0, credential) }
                    ?? .replace(credential)
            }
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
        let (standing, error) = state.withLock { state in
            (state.standing(of: credential), state.error(of: credential, since: failures))
        }
        if let error { throw error }
        guard standing.isReplaceable else { return }
        do {
            let next = try await Circle.work(for: self) {
                try await source.replacement(for: credential)
            }
            state.withLock { state in
                // The next one may be refused already: the source can hand it out before it returns here.
                let successor = next.flatMap { state.newest($0) == credential ? nil : $0 }
                state.update(credential) { entry in
                    if let successor {
                        entry.standing = .replaced(by: successor)
                    } else if entry.standing.isRefused {
                        entry.standing = .exhausted
                    } else if next != credential {
                        entry.standing = .last
                    }  // The same one again expires later.
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

extension Credential {
    /// Whether the credential has expired at a deadline; false without either.
    fileprivate func expires(by deadline: Date?) -> Bool {
        deadline.flatMap { deadline in expires.map { $0.timeIntervalSince(deadline) <= 0 } } ?? false
    }
}
