import APIKitCore
import Foundation

/// The public key of a certificate, as pins hash it.
enum PublicKeyInfo {
    /// Returns the SubjectPublicKeyInfo (RFC 5280, section 4.1) of a certificate in DER; nil if the bytes are not one.
    static func bytes(inCertificate certificate: Data) -> Data? {
        guard var fields = value(of: certificate).flatMap(value) else { return nil }
        // The version, if it is there; then serial number, signature, issuer, validity and subject.
        if fields.first == 0xA0 { fields = fields.dropFirst(length(of: fields) ?? fields.count) }
        for _ in 0..<5 { fields = fields.dropFirst(length(of: fields) ?? fields.count) }
        return length(of: fields).map { Data(fields.prefix($0)) }
    }

    /// The content of the first element.
    private static func value(of bytes: Data) -> Data? {
        header(of: bytes).map { bytes.dropFirst($0.header).prefix($0.content) }
    }

    /// The length of the first element, its header included.
    private static func length(of bytes: Data) -> Int? {
        header(of: bytes).map { $0.header + $0.content }
    }

    private static func header(of bytes: Data) -> (header: Int, content: Int)? {
        guard let first = bytes.dropFirst().first else { return nil }
        let lengthBytes = first < 0x80 ? 0 : Int(first & 0x7F)
        let digits = bytes.dropFirst(2).prefix(lengthBytes)
        guard lengthBytes <= 3, digits.count == lengthBytes else { return nil }
        let content = lengthBytes == 0 ? Int(first) : digits.reduce(0) { $0 << 8 | Int($1) }
        let header = 2 + lengthBytes
        return bytes.count >= header + content ? (header, content) : nil
    }
}
