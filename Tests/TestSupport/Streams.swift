package import APIKitCore
import Foundation

/// Bytes in the given pieces, followed by the end or an error.
package struct Chunks: AsyncSequence, Sendable {
    package typealias Element = Data

    package var chunks: [Data]
    package var failure: (any Error)?
    package var lease: Lease?
    /// Called before the end, or before the error.
    package var atEnd: @Sendable () -> Void

    package init(
        chunks: [Data], failure: (any Error)? = nil, lease: Lease? = nil, atEnd: @escaping @Sendable () -> Void = {}
    ) {
        self.chunks = chunks
        self.failure = failure
        self.lease = lease
        self.atEnd = atEnd
    }

    package func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], source: self) }

    package struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let source: Chunks

        package mutating func next() async throws -> Data? {
            if let chunk = rest.popFirst() { return chunk }
            source.atEnd()
            if let failure = source.failure { throw failure }
            return nil
        }
    }
}

extension Chunks {
    /// Text in one piece, followed by the end or an error.
    package init(_ text: String, failure: (any Error)? = nil) { self.init(chunks: [Data(text.utf8)], failure: failure) }
}

extension ByteStream {
    package init(_ text: String) { self.init([Data(text.utf8)]) }

    /// Text followed by an error; after that, the source has ended.
    package init(_ text: String, breakingWith failure: any Error) {
        let (pieces, source) = AsyncThrowingStream.makeStream(of: Data.self)
        source.yield(Data(text.utf8))
        source.finish(throwing: failure)
        self.init(pieces)
    }
}

extension AsyncSequence {
    /// All elements.
    package func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}

/// The result of reading a sequence: its elements, and the description of its error if it throws one.
package struct Outcome<Element: Equatable & Sendable>: Equatable, Sendable {
    package var elements: [Element] = []
    package var failure: String?

    package init(elements: [Element] = [], failure: String? = nil) {
        self.elements = elements
        self.failure = failure
    }

    package init<S: AsyncSequence>(of sequence: S) async where S.Element == Element {
        do {
            for try await element in sequence { elements.append(element) }
        } catch {
            failure = String(describing: error)
        }
    }
}

/// The results of calling an iterator's `next` so many times: elements, `nil`, and errors as the names of their types.
package func steps<S: AsyncSequence & Sendable>(_ count: Int, of sequence: S) async -> [String] {
    var iterator = sequence.makeAsyncIterator()
    var steps: [String] = []
    for _ in 0..<count {
        do {
            steps.append(try await iterator.next().map { "\($0)" } ?? "nil")
        } catch {
            steps.append("\(type(of: error))")
        }
    }
    return steps
}

/// Every split of the bytes into two pieces, and one into single bytes.
package func everyCut(of data: Data) -> [[Data]] {
    let halves = (0...data.count).map { [data.prefix($0), data.suffix(data.count - $0)] }
    return halves + [data.map { Data([$0]) }]
}

/// The bytes in pieces of random sizes, some of them empty.
package func randomCut(of data: Data, using generator: inout SplitMix64) -> [Data] {
    var (rest, chunks) = (data, [Data]())
    while !rest.isEmpty {
        let chunk = rest.prefix(Int.random(in: 0...5, using: &generator))
        chunks.append(chunk)
        rest = rest.dropFirst(chunk.count)
    }
    return chunks
}

/// Bytes composed of the given pieces in random order.
package func randomData(of pieces: [[UInt8]], count: Int, using generator: inout SplitMix64) -> Data {
    Data((0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] })
}

/// A folder that is removed, with its contents, with its last reference.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("apikit-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The sorted names of its files.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    package func place(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Writes a file and returns its URL.
    @discardableResult package func write(_ text: String, to name: String) throws -> URL {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult package func write(_ data: Data, to name: String) throws -> URL {
        try data.write(to: place(name))
        return place(name)
    }

    package func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: place(name).path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    package func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: place(name)), as: UTF8.self)
    }
}

extension URL {
    /// Whether a file exists at this URL.
    package var exists: Bool { FileManager.default.fileExists(atPath: path) }
}
