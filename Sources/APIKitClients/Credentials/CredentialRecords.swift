import APIKitCore

/// What the server and the source have said of credentials, for the 1,000 that were used last.
///
/// What happens to a credential depends on both:
///
///     the source has        not been asked               no other           another one
///     not refused           sent until it expires,       sent until it is   the other one
///                           then the source is asked     refused            takes its place
///     refused               the source is asked          nothing is sent    the same
///
/// If the source throws, all of this stays as it is.
struct CredentialRecords: Sendable {
    /// What is to be done for a request.
    enum Decision: Sendable {
        /// It is sent, without a credential if there is none.
        case send(Credential?)
        /// The source is asked for a replacement first.
        case replace(Credential)
        /// The source has failed to replace the credential since the request began.
        case fail(Credential, any Error)
    }

    private enum Replacement: Sendable {
        /// The source has not been asked, or has returned the same credential shortly before it expires.
        case unknown
        case noOther
        /// Chains of replacements are acyclic.
        case successor(Credential)
    }

    private struct Record: Sendable {
        let position: Int
        var isRefused = false
        var replacement = Replacement.unknown
        /// The last error of the source, and its number among the errors for all credentials.
        var lastError: (number: Int, error: any Error)?
    }

    private static let capacity = 1_000

    private var records: [Credential: Record] = [:]
    /// The credentials with a record, in the order of their last use.
    private var order = RecencyList<Credential>()
    /// How often the source has failed to replace a credential. A request remembers the count with which it began.
    private(set) var failureCount = 0

    // MARK: - Questions

    /// Decides about a request for which the source has offered a credential.
    ///
    /// - Parameters:
    ///   - offered: The credential, for which there may be a newer one here.
    ///   - deadline: When the credential to send must still be valid; nil if its expiry does not matter.
    ///   - failureCount: The ``failureCount`` when the request began.
    /// - Returns: The decision.
    mutating func decision(about offered: Credential, validAt deadline: Date?, since failureCount: Int) -> Decision {
        let credential = newest(offered)
        let isRefused = isRefused(credential)
        switch records[credential]?.replacement ?? .unknown {
        case .noOther:
            return .send(isRefused ? nil : credential)
        case .successor:
            return .send(credential)
        case .unknown:
            if !isRefused, !credential.expires(by: deadline) { return .send(credential) }
            if let error = error(of: credential, since: failureCount) { return .fail(credential, error) }
            return .replace(credential)
        }
    }

    /// Whether the server has refused a credential.
    func isRefused(_ credential: Credential) -> Bool { records[credential]?.isRefused ?? false }

    /// Whether the source can be asked for a replacement.
    func isReplaceable(_ credential: Credential) -> Bool {
        switch records[credential]?.replacement ?? .unknown {
        case .unknown: true
        case .noOther, .successor: false
        }
    }

    /// The error of the last attempt to replace a credential, if it failed after the given number of failures.
    func error(of credential: Credential, since failureCount: Int) -> (any Error)? {
        guard let lastError = records[credential]?.lastError, lastError.number > failureCount else { return nil }
        return lastError.error
    }

    // MARK: - Answers

    /// Remembers that the server has refused a credential.
    mutating func setRefused(_ credential: Credential) {
        update(credential) { record in
            guard !record.isRefused else { return }
            record.isRefused = true
            // The source had no other before this one expired. Now it may have one.
            if case .noOther = record.replacement { record.replacement = .unknown }
        }
    }

    /// Remembers what the source has returned as the replacement of a credential.
    mutating func setReplacement(_ next: Credential?, of credential: Credential) {
        // The next one may have been replaced already: the source can hand it out before it returns it here.
        if let next, newest(next) != credential {
            update(credential) { $0.replacement = .successor(next) }
            return
        }
        let isOfferedAgain = next == credential
        update(credential) { record in
            // The same credential may have a later expiry now, and is then replaced again.
            if isOfferedAgain, !record.isRefused { return }
            record.replacement = .noOther
        }
    }

    /// Remembers that the source has failed to replace a credential.
    mutating func setError(_ error: any Error, of credential: Credential) {
        failureCount += 1
        let number = failureCount
        update(credential) { $0.lastError = (number, error) }
    }

    // MARK: - Records

    /// The end of a credential's chain of replacements; the credential itself if it has none.
    private mutating func newest(_ credential: Credential) -> Credential {
        var newest = credential
        while let record = records[newest] {
            order.use(record.position)
            guard case .successor(let successor) = record.replacement else { break }
            newest = successor
        }
        // Shortens the chain for a source that always offers the same credential.
        if newest != credential { records[credential]?.replacement = .successor(newest) }
        return newest
    }

    private mutating func update(_ credential: Credential, _ change: (inout Record) -> Void) {
        var record = records[credential] ?? Record(position: order.insert(credential))
        order.use(record.position)
        change(&record)
        records[credential] = record
        if records.count > Self.capacity { removeOldest() }
    }

    private mutating func removeOldest() {
        guard let position = order.oldest, let credential = order.remove(position) else { return }
        records[credential] = nil
    }
}

extension Credential {
    /// Whether the credential has expired at a deadline; false without either.
    fileprivate func expires(by deadline: Date?) -> Bool {
        guard let deadline, let expires else { return false }
        return expires.timeIntervalSince(deadline) <= 0
    }
}
