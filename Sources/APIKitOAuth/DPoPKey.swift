public import APIKitCore

/// A key pair whose owner tokens are bound to (DPoP, RFC 9449): a stolen token is useless without the private key,
/// which never leaves your closure.
///
/// ```swift
/// let key = DPoPKey(p256: privateKey.publicKey.rawRepresentation) { data in
///     try privateKey.signature(for: data).rawRepresentation
/// }
/// ```
///
/// With CryptoKit, `privateKey` is a `P256.Signing.PrivateKey`, or a `SecureEnclave.P256.Signing.PrivateKey`, which
/// cannot be copied to another device. ``APIClient/provingPossession(of:)`` uses the key.
///
/// Keep the private key as long as the tokens: a server accepts the refresh token of an app only with a proof of the
/// same key (RFC 9449, section 5).
public struct DPoPKey: Sendable {
    let algorithm: String
    let publicKey: JSONValue
    /// Why the key cannot be used; nil if it can.
    let problem: RequestError?
    private let signature: @Sendable (Data) async throws -> Data

    /// Creates a key.
    ///
    /// A public key that is not a JSON Web Key, or that has members of a private key, is not sent: each request that
    /// needs a proof fails with a ``RequestError`` with the code `header`.
    ///
    /// - Parameters:
    ///   - algorithm: The algorithm of the signature (RFC 7518, section 3.1), such as `ES256`. It must be asymmetric.
    ///   - publicKey: The public key as a JSON Web Key (RFC 7517), such as
    ///     `["kty": "EC", "crv": "P-256", "x": "…", "y": "…"]`.
    ///   - sign: Returns the signature of the bytes by the private key, in the form of RFC 7518: for `ES256` the 64
    ///     bytes of CryptoKit's `rawRepresentation`, and not `derRepresentation`. What it throws, the request throws.
    public init(
        algorithm: String, publicKey: JSONValue, sign: @escaping @Sendable (Data) async throws -> Data
    ) {
        self.algorithm = algorithm
        self.publicKey = publicKey
        problem = Self.problem(of: publicKey, algorithm).map { RequestError(.header, $0) }
        signature = sign
    }

    /// Creates a key on the curve P-256, with signatures of the algorithm `ES256`, which every server with DPoP knows.
    ///
    /// - Parameters:
    ///   - publicKey: The coordinates of the public key, 32 bytes each: CryptoKit's `rawRepresentation`.
    ///   - sign: Returns the signature of the bytes by the private key: CryptoKit's `rawRepresentation`. What it
    ///     throws, the request throws.
    public init(p256 publicKey: Data, sign: @escaping @Sendable (Data) async throws -> Data) {
        algorithm = "ES256"
        self.publicKey = [
            "kty": "EC", "crv": "P-256", "x": .string(publicKey.prefix(32).base64URLEncodedString()),
            "y": .string(publicKey.dropFirst(32).base64URLEncodedString()),
        ]
        let message = "a public key on P-256 has 64 bytes, and not \(publicKey.count): pass its rawRepresentation"
        problem = publicKey.count == 64 ? nil : RequestError(.header, message)
        signature = sign
    }

    /// Returns the signature of the bytes.
    ///
    /// - Throws: ``RequestError`` if the key cannot be used, or the signature has the wrong length; what
    ///   the closure throws.
    @Sendable func sign(_ data: Data) async throws -> Data {
        if let problem { throw problem }
        let signature = try await signature(data)
        if let length = Self.signatureLengths[algorithm], signature.count != length {
            let message = "a signature of \(algorithm) has \(length) bytes, and not \(signature.count)"
            throw RequestError(.header, "\(message): return its rawRepresentation, and not derRepresentation")
        }
        return signature
    }

    /// The lengths of signatures in bytes (RFC 7518, section 3.4; RFC 8037, section 3.1).
    private static let signatureLengths = ["ES256": 64, "ES384": 96, "ES512": 132, "Ed25519": 64]

    /// The members of private and symmetric keys (RFC 7518, sections 6.2.2, 6.3.2 and 6.4; RFC 8037, section 2), and of
    /// those with post-quantum algorithms.
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"]

    /// Why a key cannot be used; nil if it can (RFC 9449, section 4.2). The text has no value of the key.
    private static func problem(of publicKey: JSONValue, _ algorithm: String) -> String? {
        let isSymmetric = algorithm.hasPrefix("HS")
        if algorithm.isEmpty || algorithm == "none" || isSymmetric {
            return "a DPoP key needs an asymmetric algorithm, such as ES256, and not \(algorithm.debugDescription)"
        }
        guard publicKey["kty"]?.string != nil else {
            return "the public DPoP key is not a JSON Web Key: it has no kty"
        }
        let secrets = privateMembers.filter { publicKey[$0] != nil }
        if !secrets.isEmpty {
            return "the public DPoP key has members of a private key (\(secrets.joined(separator: ", "))): remove them"
        }
        return nil
    }
}

extension DPoPKey: CustomStringConvertible {
    /// The algorithm.
    public var description: String { "DPoP key (\(algorithm))" }
}
