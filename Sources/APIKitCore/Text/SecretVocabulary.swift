/// The names of secrets, with names of a caller's own, and without those that a caller knows to be harmless.
package struct SecretVocabulary: Sendable {
    /// The names that the library knows.
    package static let standard = SecretVocabulary()

    private let secret: Set<String>
    private let harmless: Set<String>

    /// Creates a vocabulary; names ignore case.
    package init(secret: Set<String> = [], harmless: Set<String> = []) {
        self.secret = Set(secret.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    /// Whether a name is that of a secret.
    package func contains(_ name: some StringProtocol) -> Bool {
        guard !secret.isEmpty || !harmless.isEmpty else { return SecretNames.contains(name) }
        let name = name.removingPercentEncodingOfASCII.lowercased()
        return secret.contains(name) || !harmless.contains(name) && SecretNames.contains(name)
    }
}
