import APIKitCore
import APIKitSupport

/// The names of secrets: the usual ones, which `SecretNames` of APIKitCore knows, and those that a caller adds, without
/// those that a caller declares harmless.
struct SecretVocabulary: Sendable {
    private let secret: Set<String>
    private let harmless: Set<String>

    /// Creates a vocabulary; names ignore case.
    init(secret: Set<String> = [], harmless: Set<String> = []) {
        self.secret = Set(secret.map { $0.lowercased() })
        self.harmless = Set(harmless.map { $0.lowercased() })
    }

    /// Whether a name is that of a secret. The names that the caller has declared secret or harmless are looked up
    /// first; any other name is judged by `SecretNames`.
    func contains(_ name: some StringProtocol) -> Bool {
        // The caller's names are in lower case and without percent-encoding.
        let plainName = String(name).removingPercentEncodingOfASCII.lowercased()
        if secret.contains(plainName) { return true }
        if harmless.contains(plainName) { return false }
        // The name as it is written, since its capitals separate words: `userPin` is secret, and `userpin` is not.
        return SecretNames.contains(String(name))
    }
}

extension Masking {
    /// A masked text, and what was masked in it.
    struct MaskedText {
        var text: String
        /// The values that were replaced by the mask.
        var secrets: [String]
    }

    /// Masks the values of secret names in a text, such as `badge=17`, which becomes `badge=***`. Returns the new text
    /// and the secrets: each masked value or, if that is a URL or a form with secrets, those.
    static func masked(_ text: String, _ vocabulary: SecretVocabulary) -> MaskedText {
        var secrets: [String] = []
        let masked = replacing(in: text, isSecret: vocabulary.contains) { value in
            secrets += secretsWithin(value, vocabulary)
            return mask
        }
        return MaskedText(text: masked, secrets: secrets)
    }

    /// Returns the secrets in a value that is masked. If the value is a percent-encoded URL or form with secrets, these
    /// are its secrets: the rest of it may occur elsewhere. Otherwise the value itself is the secret.
    private static func secretsWithin(_ value: String, _ vocabulary: SecretVocabulary) -> [String] {
        let decoded = value.removingPercentEncodingOfASCII
        if decoded == value { return [value] }
        let inner = masked(decoded, vocabulary).secrets
        return inner.isEmpty ? [value] : inner
    }
}
