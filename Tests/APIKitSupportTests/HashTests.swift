import APIKitSupport
import Foundation
import Testing

@Suite struct HashTests {
    /// The examples of FIPS 180-2, appendix B, and the empty message.
    @Test(
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] as [(String, Int, String)])
    func sha256MatchesTheStandardsExamples(text: String, count: Int, hash: String) {
        #expect(hex(Data(String(repeating: text, count: count).utf8).sha256) == hash)
    }

    /// The hash of the hashes of the first 0 to 130 bytes of 0, 1, 2, …, as Python's `hashlib` computes it. They end
    /// before, at and after the padding's length and the ends of two blocks.
    @Test func sha256MatchesAnotherImplementationForAllLengths() {
        let bytes = Data((0..<130).map { UInt8($0) })
        let hashes = (0...130).reduce(into: Data()) { $0.append(bytes.prefix($1).sha256) }
        #expect(hex(hashes.sha256) == "e5bbbecd60c3632a3455f465bfd8b079c30ef608d2bcc34227f4e5573029020e")
    }

    /// The indices of a slice do not begin at 0.
    @Test func hashesSlices() {
        #expect(Data("xabcx".utf8).dropFirst().dropLast().sha256 == Data("abc".utf8).sha256)
    }

    /// The examples of FIPS 180-2, appendix A, and the empty message.
    @Test(
        arguments: [
            ("", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ] as [(String, Int, String)])
    func sha1MatchesTheStandardsExamples(text: String, count: Int, hash: String) {
        #expect(hex(sha1(Data(String(repeating: text, count: count).utf8))) == hash)
    }

    /// As for SHA-256 above.
    @Test func sha1MatchesAnotherImplementationForAllLengths() {
        let bytes = Data((0..<130).map { UInt8($0) })
        let hashes = (0...130).reduce(into: Data()) { $0.append(sha1(bytes.prefix($1))) }
        #expect(hex(sha1(hashes)) == "69e8170ae953351d42e29a858ad1f6d32b9fc7d5")
    }

    @Test(arguments: [1, 7, 63, 64, 65, 200])
    func piecesHaveTheSameHashAsTheWhole(size: Int) {
        let bytes = Data((0..<500).map { UInt8(truncatingIfNeeded: $0) })
        var sha1 = SHA1Hasher()
        var sha256 = SHA256Hasher()
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = bytes[start..<min(start + size, bytes.count)]
            sha1.update(piece)
            sha256.update(piece)
        }
        #expect(sha1.finish() == self.sha1(bytes))
        #expect(sha256.finish() == bytes.sha256)
    }

    private func sha1(_ data: Data) -> Data {
        var hasher = SHA1Hasher()
        hasher.update(data)
        return hasher.finish()
    }

    private func hex(_ data: Data) -> String {
        data.map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
