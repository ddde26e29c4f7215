import Foundation
import Testing

@testable import APIKitSupport

@Suite struct GzipTests {
    @Test(
        arguments: [("", 0), ("123456789", 0xCBF4_3926), ("The quick brown fox jumps over the lazy dog", 0x414F_A339)]
            as [(String, UInt32)])
    func checksumIsThatOfTheFormat(text: String, checksum: UInt32) {
        #expect(Gzip.checksum(of: Data(text.utf8)) == checksum)
    }

    @Test func headerAndTrailerAreThoseOfTheFormat() throws {
        let data = Data(repeating: UInt8(ascii: "a"), count: 70_000)
        let compressed = try #require(Gzip.compressed(data))
        #expect(compressed.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]))
        #expect(Array(compressed.suffix(4)) == [0x70, 0x11, 0x01, 0x00])
        #expect(compressed.count < 500)
    }

    #if canImport(Darwin)
    @Test func foundationDecompressesIt() throws {
        let data = Data((0..<70_000).map { UInt8($0 % 251) })
        let compressed = try #require(Gzip.compressed(data))
        let deflated = compressed.dropFirst(10).dropLast(8) as NSData
        #expect(try deflated.decompressed(using: .zlib) as Data == data)
    }
    #endif
}
