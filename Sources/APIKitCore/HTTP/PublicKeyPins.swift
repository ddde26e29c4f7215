/// The keys that servers must have: a connection to one with another key fails with a ``TransportError`` of the code
/// `secureConnectionFailed`, although the system trusts its certificate.
///
/// ```swift
/// let pins = PublicKeyPins(
///     "mZ3Up2Lg6yDu3AhXtSQ9zvR3O43RUjE5BnBAq9Y6hJQ=",
///     backup: "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")
/// ```
///
/// A pin is the SHA-256 of a certificate's public key (its SubjectPublicKeyInfo, RFC 7469, section 2.4), in Base64. It
/// stays the same when a certificate is renewed with the same key. Pin a second key, which is not in use yet: without
/// one, losing the key locks out every program that pins it.
///
/// This prints the pin of a server's certificate:
///
/// ```console
/// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der |
/// openssl dgst -sha256 -binary |
/// base64
/// ```
public struct PublicKeyPins: Sendable, Hashable {
    /// The hashes, of 32 bytes each.
    public let hashes: [Data]

    /// Creates pins; nil if one of them is not 32 bytes in Base64.
    ///
    /// - Parameters:
    ///   - pin: The pin of the key in use.
    ///   - backup: The pin of a key that can replace it.
    ///   - others: The pins of further keys.
    public init?(_ pin: String, backup: String, _ others: String...) {
        var hashes: [Data] = []
        for text in [pin, backup] + others {
            guard let hash = Data(base64Encoded: text), hash.count == 32 else { return nil }
            hashes.append(hash)
        }
        self.hashes = hashes
    }
}
