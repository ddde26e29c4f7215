import APIKitCore
import Foundation

/// Finds the public key of a certificate, in the form of which pins are hashes.
enum PublicKeyInfo {
    /// Returns the SubjectPublicKeyInfo (RFC 5280, section 4.1) of a certificate in DER; nil if the bytes are not one.
    static func bytes(inCertificate certificate: Data) -> Data? {
        guard let signed = Element(startOf: certificate), let contents = Element(startOf: signed.content) else {
            return nil
        }
        var fields = contents.content
        let hasVersion = fields.first == 0xA0
        // The fields before the key are: version (optional), serial number, signature, issuer, validity and subject.
        let countBeforeKey = hasVersion ? 6 : 5
        for _ in 0..<countBeforeKey {
            guard let field = Element(startOf: fields) else { return nil }
            fields = fields.dropFirst(field.length)
        }
        guard let key = Element(startOf: fields) else { return nil }
        return Data(fields.prefix(key.length))
    }

    /// An element of DER, which consists of a byte for its type, its length, and its content.
    private struct Element {
        let content: Data
        /// The number of bytes of the whole element, including the type and the length.
        let length: Int

        /// Reads the element at the start of some bytes. Returns nil if it is not complete.
        init?(startOf bytes: Data) {
            guard let firstOfLength = bytes.dropFirst().first else { return nil }
            let contentLength: Int
            let headerLength: Int
            let isShort = firstOfLength < 0x80
            if isShort {
                contentLength = Int(firstOfLength)
                headerLength = 2
            } else {
                // The byte tells how many bytes the length itself has, which follow. Three are enough for any
                // certificate.
                let digitCount = Int(firstOfLength & 0x7F)
                let digits = bytes.dropFirst(2).prefix(digitCount)
                guard digitCount <= 3, digits.count == digitCount else { return nil }
                contentLength = digits.reduce(0) { $0 << 8 | Int($1) }
                headerLength = 2 + digitCount
            }
            length = headerLength + contentLength
            guard bytes.count >= length else { return nil }
            content = bytes.dropFirst(headerLength).prefix(contentLength)
        }
    }
}
