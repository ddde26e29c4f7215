import APIKitCore

extension CredentialKeeper {
    /// The replacement of a credential, for which a source is asked once. If the source needs a credential of another
    /// keeper, it waits for a replacement there; two that wait for each other would never end.
    struct Replacement: Hashable, Sendable {
        let keeper: CredentialKeeper
        let credential: Credential

        func startWaiting(for other: Replacement) {
            keeper.waits.withLock { $0[credential, default: []].append(other) }
        }

        func stopWaiting(for other: Replacement) {
            keeper.waits.withLock { waits in
                var others = waits.removeValue(forKey: credential) ?? []
                if let index = others.firstIndex(of: other) { others.remove(at: index) }
                if !others.isEmpty { waits[credential] = others }
            }
        }

        /// Whether it cannot end before another one does.
        func waits(for other: Replacement) -> Bool {
            var (seen, rest): (Set<Replacement>, [Replacement]) = ([], [self])
            while let next = rest.popLast() {
                if next == other { return true }
                guard seen.insert(next).inserted else { continue }
                rest += next.keeper.waits.withLock { $0[next.credential] ?? [] }
            }
            return false
        }

        static func == (left: Replacement, right: Replacement) -> Bool {
            left.keeper === right.keeper && left.credential == right.credential
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(credential)
        }
    }
}
