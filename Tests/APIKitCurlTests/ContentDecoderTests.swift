#if os(Linux)
import APIKitTestServer
import Foundation
import Testing

@testable import APIKitCore
@testable import APIKitCurl

/// zstd, whose library a system may lack; the contract of engines covers gzip and deflate.
@Suite struct ContentDecoderTests {
    /// `hello, hello, hello, hello` in zstd, as Base64.
    private static let body = Data(base64Encoded: "KLUv/QRYbQAAOGhlbGxvLCABAEqKEY+ZUzc=") ?? Data()
    private static let isKnown = ContentDecoder.codings.contains("zstd")

    private func decoded(_ body: Data, pieces size: Int = 100) throws -> (Data, isComplete: Bool) {
        let decoder = try #require(ContentDecoder("zstd"))
        let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 7)
        defer { room.deallocate() }
        var (result, rest) = (Data(), body)
        while !rest.isEmpty {
            rest.prefix(size).withUnsafeBytes { decoder.add($0) }
            rest = rest.dropFirst(size)
            while !decoder.isDrained { result.append(contentsOf: room[..<(try decoder.decode(into: room))]) }
        }
        return (result, decoder.isComplete)
    }

    @Test(.enabled(if: isKnown), arguments: [1, 3, 100]) func decodesPieceByPiece(size: Int) throws {
        let (text, isComplete) = try decoded(Self.body, pieces: size)
        #expect(String(decoding: text, as: UTF8.self) == "hello, hello, hello, hello")
        #expect(isComplete)
        #expect(ContentDecoder.acceptEncoding.hasSuffix("zstd"))
    }

    // RFC 8878, section 3: frames may follow one another.
    @Test(.enabled(if: isKnown), arguments: [1, 1000]) func decodesAllFrames(size: Int) throws {
        #expect(try decoded(Self.body + Self.body, pieces: size).0.count == 52)
    }

    @Test(.enabled(if: isKnown)) func bodiesThatAreCutOffAreIncomplete() throws {
        #expect(try !decoded(Self.body.dropLast()).isComplete)
    }

    @Test(.enabled(if: isKnown)) func otherBytesAreMalformed() {
        #expect(throws: TransportError.self) { try decoded(Data("plain text".utf8)) }
    }

    // RFC 9659, section 3: a window of more than 8 MiB is refused. This is the head of a frame with one of 16 MiB.
    @Test(.enabled(if: isKnown)) func largeWindowsAreRefused() {
        let head = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x70, 0x01, 0x00, 0x00])
        #expect(throws: TransportError.self) { try decoded(head) }
    }
}
#endif
