import APIKitCore
import Foundation

/// Finds the public key of a certificate, in the form of which pins are hashes.
enum PublicKeyInfo {
    /// Returns the SubjectPublicKeyInfo (RFC 5280, section 4.1) of a certificate in DER; nil if the bytes are not one.
    static func bytes(inCertificate certificate: Data) -> Data? {
        // A certificate is a sequence, whose first element is the sequence of the signed fields.
        guard let sequence = Element(startOf: certificate), let signed = Element(startOf: sequence.content) else {
            return nil
        }
        var fields = signed.content
        // The version has a type of its own, by which it is recognized.
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

    /// An element of DER, which consists of a byte for its type, its length, and its content (X.690, section 8.1).
    ///
    /// A length below 128 is one byte, `05` for example. For a longer one, this byte has the number of bytes that
    /// follow with the length, plus 128: `82 01 00` for 256.
    private struct Element {
        let content: Data
        /// The number of bytes of the whole element, including the type and the length.
        let length: Int

        /// Reads the element at the start of some bytes. Returns nil if it is not complete.
        init?(startOf bytes: Data) {
            guard let lengthByte = bytes.dropFirst().first else { return nil }
            var contentLength = Int(lengthByte)
            var headerLength = 2
            let isLong = lengthByte >= 0x80
            if isLong {
                let digitCount = Int(lengthByte & 0x7F)
                let digits = bytes.dropFirst(headerLength).prefix(digitCount)
                // Three are enough for any certificate.
                guard digitCount <= 3, digits.count == digitCount else { return nil }
                contentLength = 0
                for digit in digits { contentLength = contentLength << 8 | Int(digit) }
                headerLength += digitCount
            }
            length = headerLength + contentLength
            guard bytes.count >= length else { return nil }
            content = bytes.dropFirst(headerLength).prefix(contentLength)
        }
    }
}
