import APIKitCore
import APIKitStreams
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// A stream of elements whose length is limited.
protocol LimitedStream: StreamedResponse where Element: Equatable & Sendable {
    init(bytes: ByteStream, elementLimit: Int)
}

extension TextLines: LimitedStream {}
extension ServerSentEvents: LimitedStream {}
extension JSONLines: LimitedStream where Value: Equatable {}

extension LimitedStream {
    /// The result of a stream whose bytes arrive in these pieces.
    static func outcome(
        _ chunks: [Data], limit: Int = 16 << 20, failure: (any Error)? = nil
    ) async -> Outcome<Element> {
        await Outcome(of: Self(bytes: ByteStream(Chunks(chunks: chunks, failure: failure)), elementLimit: limit))
    }

    /// Expects that it does not matter where these bytes are cut.
    static func expectSameHoweverCut(_ data: Data, limit: Int = 16 << 20) async {
        let whole = await outcome([data], limit: limit)
        for chunks in everyCut(of: data) {
            #expect(await outcome(chunks, limit: limit) == whole, "\(chunks.map(\.count))")
        }
    }

    /// Expects that it does not matter where random bytes, made of pieces, are cut, with any of these limits.
    static func expectSameHoweverCut(seed: UInt64, pieces: [[UInt8]], count: Int, limits: [Int]) async {
        var generator = SplitMix64(state: seed)
        let data = randomData(of: pieces, count: count, using: &generator)
        for limit in limits {
            let whole = await outcome([data], limit: limit)
            for _ in 0..<5 { #expect(await outcome(randomCut(of: data, using: &generator), limit: limit) == whole) }
        }
    }
}
