import Foundation

/// A parser of foreign bytes, and what must hold whatever it reads.
struct FuzzTarget: Sendable {
    let name: String
    /// Inputs to begin with, and those that once failed.
    let seeds: [Data]
    /// Reads an input, and ends the process if something does not hold.
    let run: @Sendable (FuzzInput) -> Void

    init(_ name: String, seeds: [String], data: [Data] = [], _ run: @escaping @Sendable (FuzzInput) -> Void) {
        self.name = name
        self.seeds = seeds.map { Data($0.utf8) } + data
        self.run = run
    }

    static let all = [
        json, path, base, endpoint, uri, location, link, date, retryAfter, cacheControl, contentRange, mediaType,
        filename, lines, events, challenges,
        partialJSON, secrets, excerpt, har, mask, head, decoders, curl, uploadJournal, uploadResponses, uploadLocation,
    ]
}

/// The bytes that a target reads.
struct FuzzInput {
    let data: Data

    /// Invalid bytes become U+FFFD.
    var text: String { String(decoding: data, as: UTF8.self) }

    /// The text cut at its first line feeds, into a number of parts.
    func parts(_ count: Int) -> [String] {
        let parts = data.split(separator: 0x0A, maxSplits: count - 1, omittingEmptySubsequences: false)
        return (parts + Array(repeating: Data(), count: count)).prefix(count).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// The bytes in pieces, whose lengths follow from the bytes.
    var pieces: [Data] {
        var (pieces, start): ([Data], Int) = ([], data.startIndex)
        while start < data.endIndex {
            let end = min(start + 1 + Int(data[start]) * pieces.count % 11, data.endIndex)
            pieces.append(data[start..<end])
            start = end
        }
        return pieces
    }
}

/// Ends the process unless a condition holds; libFuzzer keeps the input.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// The value without its optional; ends the process if there is none.
func require<Value>(_ value: Value?, _ message: @autoclosure () -> String) -> Value {
    guard let value else { fatalError(message()) }
    return value
}
