import APIKitCore
import Foundation

#if canImport(CryptoKit) && canImport(Security)
import CryptoKit
import Security

extension PublicKeyPins {
    /// Whether the key of the server's own certificate, which is the first in the chain, is pinned.
    func matches(_ trust: SecTrust) -> Bool {
        guard let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let certificate = chain.first,
            let key = PublicKeyInfo.bytes(inCertificate: SecCertificateCopyData(certificate) as Data)
        else { return false }
        return hashes.contains(Data(SHA256.hash(data: key)))
    }
}
#endif
