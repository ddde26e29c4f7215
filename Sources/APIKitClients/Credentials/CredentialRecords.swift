import APIKitCore

/// Remembers which credentials the server has refused, and which replacements the source has returned, for the 1,000
/// credentials that were used last.
///
/// Both decide what a request sends if the source has offered a credential to it:
///
/// | The source, asked for a replacement | Not refused by the server | Refused by the server |
/// | --- | --- | --- |
/// | has not been asked | sends it; if it expires soon, first asks the source | first asks the source |
/// | has no other credential | sends it | sends none |
/// | has returned another one | sends the other one | sends the other one |
///
/// If the source throws an error, it counts as not asked, and later requests ask it again.
struct CredentialRecords: Sendable {
    /// The next step for a request.
    enum Decision: Sendable {
        /// Send the request with this credential, or without any.
        case send(Credential?)
        /// First ask the source for a replacement of this credential.
        case replace(Credential)
        /// Fail with this error: since the request began, the source has failed to replace this credential.
        case fail(Credential, any Error)
    }

    private enum Replacement: Sendable {
        /// The source has not been asked, or has returned the same credential shortly before it expires.
        case unknown
        /// The source has no other credential.
        case noOther
        /// The source has returned another credential, which may have a successor too. Such chains have no cycles.
        case successor(Credential)
    }

    private struct Record: Sendable {
        /// The position of the credential in ``order``.
        let position: Int
        var isRefused = false
        /// The response that refused the credential, until the source has returned a replacement.
        var refusal: HTTPResponse?
        var replacement = Replacement.unknown
        /// The same credential with another expiry, if the source has returned it as the replacement.
        var renewed: Credential?
        /// The last error of the source, and its number among its failures for all credentials.
        var failure: (number: Int, error: any Error)?
    }

    private static let capacity = 1_000

    private var records: [Credential: Record] = [:]
    /// The credentials with a record, in the order of their last use.
    private var order = RecencyList<Credential>()
    /// The number of the source's last failure to replace a credential; 0 if it has not failed yet. Each request
    /// remembers the number at its beginning, and so can tell which failures are later.
    private(set) var lastFailure = 0

    // MARK: - What a request sends

    /// Decides what to do with a request for which the source has offered a credential, and marks that credential and
    /// its replacements as used.
    ///
    /// - Parameters:
    ///   - offered: The credential. If a newer one is known, that is sent.
    ///   - deadline: When the credential to send must still be valid; nil if its expiry does not matter.
    ///   - earlierFailure: The ``lastFailure`` when the request began.
    /// - Returns: The decision.
    mutating func decision(about offered: Credential, validAt deadline: Date?, since earlierFailure: Int) -> Decision {
        let newest = useNewest(offered)
        let record = records[newest]
        // The links to it, and the source, may still have it with its first expiry.
        let credential = newest.withLaterExpiry(of: record?.renewed)
        let isRefused = record?.isRefused ?? false
        switch record?.replacement ?? .unknown {
        case .noOther:
            return .send(isRefused ? nil : credential)
        case .successor:
            // This does not happen, since the newest credential has no successor.
            return .send(credential)
        case .unknown:
            let isUsable = !isRefused && !credential.expires(by: deadline)
            if isUsable { return .send(credential) }
            if let error = error(of: credential, since: earlierFailure) { return .fail(credential, error) }
            return .replace(credential)
        }
    }

    /// The response that refused a credential; nil if it was not refused, or if its replacement is known.
    func refusal(of credential: Credential) -> HTTPResponse? { records[credential]?.refusal }

    /// The credential that the source has last returned in place of another one; nil if that has not been replaced.
    mutating func successor(of credential: Credential) -> Credential? {
        let newest = useNewest(credential)
        return newest == credential ? nil : newest
    }

    /// Whether the server has refused a credential.
    func isRefused(_ credential: Credential) -> Bool { records[credential]?.isRefused ?? false }

    /// Whether the source has yet to be asked for a replacement. Otherwise, its answer is known.
    func isReplaceable(_ credential: Credential) -> Bool {
        switch records[credential]?.replacement ?? .unknown {
        case .unknown: true
        case .noOther, .successor: false
        }
    }

    /// Returns the error of the last attempt to replace a credential; nil if it has not failed since the failure with
    /// the given number.
    func error(of credential: Credential, since earlierFailure: Int) -> (any Error)? {
        guard let failure = records[credential]?.failure, failure.number > earlierFailure else { return nil }
        return failure.error
    }

    // MARK: - What the server and the source say

    /// Remembers that the server has refused a credential, and the response that says so.
    mutating func setRefused(_ credential: Credential, by response: HTTPResponse) {
        update(credential) { record in
            guard !record.isRefused else { return }
            record.isRefused = true
            record.refusal = response
            // The source had no other credential when it was asked early, before this one expired. Now it may have one.
            if case .noOther = record.replacement { record.replacement = .unknown }
        }
    }

    /// Remembers what the source has returned as the replacement of a credential: another one, the same one, or none.
    ///
    /// - Parameters:
    ///   - next: The replacement.
    ///   - credential: The credential.
    ///   - hasSeenRefusal: Whether the source was asked with the refusal of the credential. If not, and the server has
    ///     refused it meanwhile, the source is asked again: with the refusal, it may have another credential.
    mutating func setReplacement(_ next: Credential?, of credential: Credential, hasSeenRefusal: Bool) {
        if let next, setSuccessor(next, of: credential) { return }
        let renewed = next == credential ? next : nil
        update(credential) { record in
            // One that was returned before stays its successor.
            if case .successor = record.replacement { return }
            if record.refusal != nil, !hasSeenRefusal { return }
            record.refusal = nil
            // The same credential may have a later expiry now. It is sent until then, and then replaced again.
            if let renewed, !record.isRefused {
                record.renewed = renewed
                return
            }
            record.replacement = .noOther
        }
    }

    /// Remembers another credential that the source has returned in place of one.
    ///
    /// The chains of successors have no cycles. So neither the same credential becomes a successor, nor an earlier one,
    /// whose chain leads to this one.
    ///
    /// - Returns: Whether it has become the successor.
    @discardableResult mutating func setSuccessor(_ next: Credential, of credential: Credential) -> Bool {
        guard next != credential, useNewest(next) != credential else { return false }
        update(credential) { record in
            record.replacement = .successor(next)
            record.refusal = nil
        }
        return true
    }

    /// Remembers that the source has failed to replace a credential.
    mutating func setError(_ error: any Error, of credential: Credential) {
        lastFailure += 1
        let number = lastFailure
        update(credential) { $0.failure = (number, error) }
    }

    // MARK: - Records

    /// Follows the chain of replacements from a credential to its end, and marks each credential in it as used.
    ///
    /// - Returns: The last credential of the chain; the given one if it has no successor.
    @inline(never)
    private mutating func useNewest(_ credential: Credential) -> Credential {
        var newest = credential
        while let record = records[newest] {
            order.use(record.position)
            guard case .successor(let successor) = record.replacement else { break }
            newest = successor
        }
        // A source may always offer the same old credential. A link from that one directly to the newest keeps its
        // chain short.
        if newest != credential { records[credential]?.replacement = .successor(newest) }
        return newest
    }

    /// Changes the record of a credential, or creates one first, and marks it as used. If there are too many records,
    /// the one that was used longest ago is removed.
    @inline(never)
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
    /// Whether the credential expires before or at a deadline; false if either is not known.
    fileprivate func expires(by deadline: Date?) -> Bool {
        guard let deadline, let expires else { return false }
        return expires.timeIntervalSince(deadline) <= 0
    }

    /// This credential or the same one as it was returned later, whichever expires later. One whose expiry is not known
    /// counts as the latest.
    fileprivate func withLaterExpiry(of renewed: Credential?) -> Credential {
        guard let renewed, let expires else { return self }
        guard let laterExpires = renewed.expires else { return renewed }
        return laterExpires > expires ? renewed : self
    }
}
