import APIKitCore
import Foundation

/// Bytes in given pieces, and behind them an end or an error.
struct Chunks: AsyncSequence, Sendable {
    typealias Element = Data

    var chunks: [Data]
    var failure: (any Error)?
    var lease: Lease?
    /// Called before the end, or before the error.
    var atEnd: @Sendable () -> Void = {}

    func makeAsyncIterator() -> Iterator {
        Iterator(rest: chunks[...], source: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let source: Chunks

        mutating func next() async throws -> Data? {
            if let chunk = rest.popFirst() { return chunk }
            source.atEnd()
            if let failure = source.failure { throw failure }
            return nil
        }
    }
}

extension Chunks {
    /// Text in one piece, and behind it an error.
    init(_ text: String, failure: (any Error)? = nil) {
        self.init(chunks: [Data(text.utf8)], failure: failure)
    }
}

/// Tells when the last reference to it goes away.
final class Lease: Sendable {
    private let ended: @Sendable () -> Void

    init(_ ended: @escaping @Sendable () -> Void) {
        self.ended = ended
    }

    deinit {
        ended()
    }
}

extension ByteStream {
    init(_ text: String) {
        self.init([Data(text.utf8)])
    }
}

extension AsyncSequence {
    /// All elements.
    func collected() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}

/// What reading a sequence gave: the elements and, where it threw, what.
struct Outcome<Element: Equatable & Sendable>: Equatable, Sendable {
    var elements: [Element] = []
    var failure: String?

    init<S: AsyncSequence>(of sequence: S) async where S.Element == Element {
        do {
            for try await element in sequence { elements.append(element) }
        } catch {
            failure = String(describing: error)
        }
    }
}

/// Some bytes in every two pieces that they can be cut into, and byte by byte.
func everyCut(of data: Data) -> [[Data]] {
    let halves = (0...data.count).map { [data.prefix($0), data.suffix(data.count - $0)] }
    return halves + [data.map { Data([$0]) }]
}

/// A folder that is removed with everything in it.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("apikit-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of what lies in it.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
    }

    func place(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes a file and tells where it is.
    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    func write(_ data: Data, to name: String) throws -> URL {
        try data.write(to: place(name))
        return place(name)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: place(name)), as: UTF8.self)
    }
}

extension URL {
    /// Whether a file is there.
    var exists: Bool { FileManager.default.fileExists(atPath: path) }
}
