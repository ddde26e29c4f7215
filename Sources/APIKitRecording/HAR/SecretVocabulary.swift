import APIKitCore
import APIKitTesting

/// The names of secrets, with names of a caller's own, and without those that a caller knows to be harmless.
struct SecretVocabulary: Sendable {
    private let secret: Set<String>
    private let harmless: Set<String>

    /// Creates a vocabulary; names ignore case.
    init(secret: Set<String> = [], harmless: Set<String> = []) {
        self.secret = Set(secret.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    /// Whether a name is that of a secret.
    func contains(_ name: some StringProtocol) -> Bool {
        guard !secret.isEmpty || !harmless.isEmpty else { return SecretNames.contains(name) }
        let name = name.removingPercentEncodingOfASCII.lowercased()
        return secret.contains(name) || !harmless.contains(name) && SecretNames.contains(name)
    }
}

extension Masking {
    /// A text with the values of secret names masked, and these values.
    static func masked(_ text: String, _ vocabulary: SecretVocabulary) -> (text: String, secrets: [String]) {
        var secrets: [String] = []
        let masked = replacing(in: text, isSecret: vocabulary.contains) { secret in
            // Of a URL or a form in percent-encoding, only the secrets within it are secret elsewhere.
            let decoded = secret.removingPercentEncodingOfASCII
            let inner = decoded == secret ? [] : Self.masked(decoded, vocabulary).secrets
            secrets += inner.isEmpty ? [secret] : inner
            return mask
        }
        return (masked, secrets)
    }
}
