public import APIKitCore
import APIKitSupport
import APIKitTesting

/// A file of recorded requests and responses in the format HAR 1.2, which the developer tools of browsers write and
/// read too.
///
/// ```swift
/// let har = HARFile(URL(fileURLWithPath: "Fixtures/users.har"))
/// let users = try await URLSession.api.recording(to: har).send(UsersRequest())
/// let replayed = try await ReplayClient(har).send(UsersRequest())
/// ```
///
/// ``APIClient/recording(to:)`` appends to the file, and ``ReplayClient`` answers from it. Secrets are masked before
/// anything is written: user information of URLs, cookies, credentials that clients add, and the values of headers,
/// query items, form fields and JSON members with the name of a secret, such as `Authorization`, `api_key`, `password`
/// and `access_token`, in requests and in responses. The value becomes `***`, or 0 if it is a number in JSON, so that
/// its type stays the same. A masked date or UUID in a string can no longer be decoded: list such a name in
/// `harmlessNames`. A masked value of at least 8 characters is also masked wherever else it occurs in the exchange.
/// Everything without secrets is kept byte for byte. Bytes that are not text, such as an image, are written as they
/// are. Read a recording before you publish it. A body above `bodyLimit` is omitted, with a comment; replaying such a
/// response fails with that comment.
///
/// New entries are appended to an existing HAR, including one from another tool; its contents stay unchanged. After
/// every request the file is complete. If the process ends during a write, the last entry may be cut off; replaying and
/// recording ignore such an entry. The file is locked while an entry is written, so that several clients and processes
/// can record to it; clients that share one `HARFile` do so without reading it again each time.
public final class HARFile: Sendable {
    /// The location of the file.
    public let url: URL
    let vocabulary: SecretVocabulary
    let bodyLimit: Int
    /// The file is written while this lock is held. An actor would not do: the entry of a stream is written when the
    /// stream is released, in a `deinit`, which cannot wait for another task.
    private let state = Locked(State())

    private struct State: Sendable {
        /// The layout after the last successful write; nil before the first one and after a failure.
        var layout: HARLayout?
        /// The error of an entry that was written while no request was waiting. The next request throws it.
        var failure: (any Error)?
    }

    /// Creates a recording; the file is created by the first request that is recorded.
    ///
    /// - Parameters:
    ///   - url: Where the file is or is to be created, in a folder that exists.
    ///   - secretNames: Names of headers, query items, fields and members that are secrets too. They ignore case.
    ///   - harmlessNames: Names that are not secrets in this API although they look so, such as `key`.
    ///   - bodyLimit: The maximum size of a recorded body in bytes, 10 MiB by default. In a replay, the body of a
    ///     request above it is not compared.
    public init(
        _ url: URL, secretNames: Set<String> = [], harmlessNames: Set<String> = [], bodyLimit: Int = 10 << 20
    ) {
        self.url = url
        self.bodyLimit = bodyLimit
        vocabulary = SecretVocabulary(secret: secretNames, harmless: harmlessNames)
    }

    // MARK: - Reading

    /// The entries of the file, sorted by the time at which their requests began.
    ///
    /// An entry without a request or a response is skipped, so that it does not make the others unusable. It still
    /// counts in the numbers of the entries.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read, ``ContentError`` if it is
    ///   not a HAR.
    @_spi(Tools) public func entries() throws -> [HAREntry] {
        let file = try OpenFile.reading(url)
        let data = try file.read(0..<(try file.size()))
        let ranges = try HARLayout(data, of: url).entries
        var entries: [HAREntry] = []
        var line = 1
        var position = 0
        for (index, range) in ranges.enumerated() {
            // Adds the lines between the beginning of the previous entry and this one.
            line += data[position..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            position = range.lowerBound
            if let value = JSONValue(data[range]), let entry = HAREntry(value, number: index + 1, line: line) {
                entries.append(entry)
            }
        }
        return entries.sorted { ($0.started, $0.number) < ($1.started, $1.number) }
    }

    // MARK: - Writing

    /// Creates the file if it is missing, and checks that entries can be appended to it, before a request is sent.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`, also if ``appendUnattended(_:)`` has failed since the
    ///   last call.
    func prepare() throws {
        try withState { state in
            if let failure = state.failure.take() { throw failure }
            if state.layout == nil { try update(&state, appending: nil) }
        }
    }

    /// Appends an entry.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`.
    func append(_ entry: JSONValue) throws {
        let text = "\n      \(entry.text(indent: "      "))"
        try withState { state in try update(&state, appending: text) }
    }

    /// Appends an entry while no request is waiting; if that fails, so does the next request.
    func appendUnattended(_ entry: JSONValue) {
        do {
            try append(entry)
        } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// Runs work in the lock. An error that is not a ``TransportError`` becomes one with the code `fileFailed`.
    private func withState(_ work: (inout State) throws -> Void) throws {
        // `withLock` takes a closure that does not throw, so the result carries the error out of it.
        let result = state.withLock { state in Result { try work(&state) } }
        do {
            try result.get()
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.fileFailed, underlying: error)
        }
    }

    /// Writes to the file, and keeps its new layout in the state: the place where the next entry is inserted, and the
    /// closing brackets after it.
    ///
    /// After a failure, the contents of the file are unknown. The layout is then forgotten, and the next call reads the
    /// file again.
    private func update(_ state: inout State, appending entry: String?) throws {
        do {
            state.layout = try write(entry, known: state.layout)
        } catch {
            state.layout = nil
            throw error
        }
    }

    /// Creates the file if it is missing, and appends an entry to it.
    ///
    /// - Parameters:
    ///   - entry: The entry; nil to only create a missing file, and to read the layout of an existing one.
    ///   - knownLayout: The layout after the last write; nil if the file has to be read.
    /// - Returns: The layout of the file with the entry.
    /// - Throws: ``TransportError`` or ``ContentError`` if the file cannot be written or is not a HAR.
    private func write(_ entry: String?, known knownLayout: HARLayout?) throws -> HARLayout {
        let file = try OpenFile.updating(url)
        var layout: HARLayout
        if try file.size() == 0 {
            layout = HARLayout()
            try create(file, layout)
        } else {
            layout = try currentLayout(of: file, known: knownLayout)
        }
        if let entry { try append(entry, to: file, &layout) }
        return layout
    }

    /// Returns the known layout if the file still has the same size and the same end. Otherwise another client or
    /// process has changed the file, and it is read again.
    private func currentLayout(of file: OpenFile, known: HARLayout?) throws -> HARLayout {
        let size = try file.size()
        if let known, size == known.insertion + known.tail.count {
            let isUnchanged = try file.read(known.insertion..<size) == known.tail
            if isUnchanged { return known }
        }
        return try HARLayout(try file.read(0..<size), of: url)
    }

    /// Writes a HAR without entries to an empty file. If that fails, the file is empty again.
    private func create(_ file: OpenFile, _ layout: HARLayout) throws {
        do throws(TransportError) {
            try file.truncate(to: 0)
            try file.write(Data(HARLayout.head.utf8) + layout.tail)
        } catch {
            try? file.truncate(to: 0)
            throw error
        }
    }

    /// Writes an entry after the last one, followed by the brackets that close the HAR, which were there before.
    private func append(_ entry: String, to file: OpenFile, _ layout: inout HARLayout) throws {
        let text = Data((layout.isEmpty ? entry : ",\(entry)").utf8)
        do throws(TransportError) {
            // The closing brackets are removed first: a process that ends during the write then leaves a file that is
            // cut off, which can still be read. Otherwise it would leave new bytes followed by old ones.
            try file.truncate(to: layout.insertion)
            try file.write(text + layout.tail)
        } catch {
            // Restores the closing brackets. If this fails too, the file is cut off, and can still be read.
            try? file.truncate(to: layout.insertion)
            try? file.write(layout.tail)
            throw error
        }
        layout.insertion += text.count
        layout.isEmpty = false
    }
}
