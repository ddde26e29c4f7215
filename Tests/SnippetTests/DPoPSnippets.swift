import APIKit
import APIKitOAuth

// The code on DPoP in doc comments and in the article SigningInWithOAuth, unchanged.

/// Stands in for the keys of CryptoKit, which Linux does not have.
nonisolated struct PrivateKey: Sendable {
    struct PublicKey: Sendable { let rawRepresentation: Data }
    struct Signature: Sendable { let rawRepresentation: Data }

    let publicKey: PublicKey
    func signature(for data: Data) throws -> Signature { Signature(rawRepresentation: data) }
}

func dpopKey(_ privateKey: PrivateKey) -> DPoPKey {
    let key = DPoPKey(p256: privateKey.publicKey.rawRepresentation) { data in
        try privateKey.signature(for: data).rawRepresentation
    }
    return key
}

func clientWithProofs(
    _ key: DPoPKey, show: @escaping @Sendable (DeviceAuthorization) async throws -> Void
) -> any APIClient {
    let base = URLSession.api.provingPossession(of: key)
    let account = OAuth(
        issuer: "https://auth.example.com", clientID: "my-app",
        flow: .deviceCode(show: show), client: base)
    let client = base.authorized(by: account, for: .shop).retrying()
    return client
}
