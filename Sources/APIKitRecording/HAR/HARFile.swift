public import APIKitCore
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
/// Everything without secrets is kept byte for byte. Bytes that are not text, such as those of an image, are written as
/// they are. Read a recording before you publish it. A body above `bodyLimit` is omitted, with a comment; replaying
/// such a response fails with that comment.
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
    /// The file is written under the lock: the entry of a stream must be complete when the stream has been released,
    /// where nothing can wait for another task.
    private let state = Locked(State())

    private struct State: Sendable {
        var layout: HARLayout?
        /// The error of an entry that was written while no request was waiting.
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

    /// The entries of the file, by the time at which they began.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read, ``ContentError`` if it is
    ///   not a HAR.
    package func entries() throws -> [HAREntry] {
        let file = try OpenFile.reading(url)
        let data = try file.read(0..<(try file.size()))
        let ranges = try HARLayout(data, of: url).entries
        var entries: [HAREntry] = []
        for (index, range) in ranges.enumerated() {
            guard let value = JSONValue(data[range]), let entry = HAREntry(value, number: index + 1) else { continue }
            entries.append(entry)
        }
        return entries.sorted { ($0.started, $0.number) < ($1.started, $1.number) }
    }

    // MARK: - Writing

    /// Creates the file if it is missing, and checks that it can be continued, before anything is sent.
    ///
    /// - Throws: ``TransportError`` with the code `fileFailed`.
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

    private func withState(_ work: (inout State) throws -> Void) throws {
        let result = state.withLock { state in Result { try work(&state) } }
        do {
            try result.get()
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(.fileFailed, underlying: error)
        }
    }

    /// Writes an entry after the last one; without an entry, writes nothing to a file that exists.
    private func update(_ state: inout State, appending entry: String?) throws {
        let file = try OpenFile.updating(url)
        let size = try file.size()
        // Forgotten until the file is as it says.
        let known = state.layout.take()
        var layout = try layout(of: file, size, known: known)
        if size == 0 {
            try write(entry ?? "", to: file, size, &layout)
        } else if let entry {
            try write(layout.isEmpty ? entry : ",\(entry)", to: file, size, &layout)
        }
        if entry != nil { layout.isEmpty = false }
        state.layout = layout
    }

    /// Writes a text after the last entry, and again what follows that.
    private func write(_ text: String, to file: OpenFile, _ size: Int, _ layout: inout HARLayout) throws {
        let isNew = size == 0
        let start = isNew ? 0 : layout.insertion
        let head = isNew ? Data(HARLayout.head.utf8) : Data()
        let text = Data(text.utf8)
        do throws(TransportError) {
            // Truncated first, so that a process that ends here does not leave a mixture of old and new bytes.
            try file.truncate(to: start)
            try file.write(head + text + layout.tail)
        } catch {
            // What is there already should stay readable, as far as the volume allows.
            try? file.truncate(to: start)
            if !isNew { try? file.write(layout.tail) }
            throw error
        }
        layout.insertion += text.count
    }

    /// The layout of the file, which is read again if another client has changed it.
    private func layout(of file: OpenFile, _ size: Int, known: HARLayout?) throws -> HARLayout {
        if size == 0 { return HARLayout() }
        if let known, size == known.insertion + known.tail.count {
            let isUnchanged = try file.read(known.insertion..<size) == known.tail
            if isUnchanged { return known }
        }
        return try HARLayout(try file.read(0..<size), of: url)
    }
}
