import APIKitCore

extension CredentialKeeper {
    /// The replacement of a credential, for which a source is asked once. If the source needs a credential of another
    /// keeper, it waits for a replacement there; two that wait for each other would never end.
    struct Replacement: Equatable, Sendable {
        let keeper: CredentialKeeper
        let credential: Credential

        func startWaiting(for other: Replacement) {
            keeper.waits.withLock { $0.append((credential, other)) }
        }

        func stopWaiting(for other: Replacement) {
            keeper.waits.withLock { waits in
                if let index = waits.firstIndex(where: { $0 == (credential, other) }) { waits.remove(at: index) }
            }
        }

        /// Whether it cannot end before another one does.
        func waits(for other: Replacement) -> Bool {
            var (seen, rest): ([Replacement], [Replacement]) = ([], [self])
            while let next = rest.popLast() {
                if next == other { return true }
                guard !seen.contains(next) else { continue }
                seen.append(next)
                rest += next.keeper.waits.withLock { waits in
                    waits.compactMap { $0.credential == next.credential ? $0.other : nil }
                }
            }
            return false
        }

        static func == (left: Replacement, right: Replacement) -> Bool {
            left.keeper === right.keeper && left.credential == right.credential
        }
    }
}
