import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

/// Bodies as pieces: bytes in memory, files and streams.
@Suite(.timeLimit(.minutes(10))) struct RequestBodyFilesTests {
    private struct Trouble: Error {}
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    private func bytes(_ body: RequestBody) async throws -> Data { try await body.bytes.data(upTo: 10_000_000) }

    /// The error of reading a body, after its code is checked.
    private func readingError(_ body: RequestBody) async throws -> TransportError {
        let error = try await #require(throws: TransportError.self) { _ = try await bytes(body) }
        #expect(error.code == .requestBodyFailed)
        return error
    }

    private func stream(_ chunks: String..., length: Int?, failure: (any Error)? = nil) -> RequestBody {
        .stream(length: length, contentType: nil) { Chunks(chunks: chunks.map { Data($0.utf8) }, failure: failure) }
    }

    @Test func bytesInMemoryAreUnchanged() async throws {
        for body: RequestBody in [.form(["a": 1]), .data(Data(), contentType: nil), .json(["a": 1] as Parameters)] {
            #expect(try await bytes(body) == body.data)
            #expect(body.length == body.data?.count)
            #expect(body.file == nil)
        }
        // An invalid body has no length.
        #expect(RequestBody.form(["ratio": Double.nan]).length == nil)
        #expect(RequestBody.multipart(MultipartForm(["ratio": Double.nan])).length == nil)
    }

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 524_288, 524_289])
    func splitsBytesInMemoryIntoPieces(count: Int) async throws {
        let data = Data((0..<(count + 7)).map { UInt8($0 % 251) })
        for data in [data.prefix(count), data.dropFirst(7)] {
            let body = RequestBody.data(data, contentType: nil)
            for _ in 0..<2 {
                let pieces = try await body.bytes.collected()
                #expect(pieces.allSatisfy { $0.startIndex == 0 && (1...262_144).contains($0.count) })
                #expect(pieces.count == (count + 262_143) / 262_144)
                #expect(pieces.reduce(Data(), +) == data)
            }
        }
    }

    @Test func splitsFormInMemoryIntoPieces() async throws {
        let file = FilePart(Data(count: 600_000), filename: "a.bin", contentType: .octetStream)
        let body = RequestBody.multipart(MultipartForm(["a": 1, "f": file]))
        let pieces = try await body.bytes.collected()
        #expect(pieces.allSatisfy { $0.startIndex == 0 && (1...262_144).contains($0.count) })
        #expect(pieces.reduce(Data(), +) == body.data)
    }

    // MARK: - Files

    @Test(arguments: [0, 1, 262_143, 262_144, 262_145, 600_000]) func sendsFileUnchanged(count: Int) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let body = RequestBody.file(try folder.write(data, to: "a.bin"))
        #expect(body.length == count)
        #expect(body.data == nil)
        #expect(body.file == folder.place("a.bin"))
        for _ in 0..<2 { #expect(try await bytes(body) == data) }
        #expect(try BodyProbe(body: body).httpRequest().body == body)
    }

    @Test func rejectsURLThatIsNotFile() throws {
        for url in [folder.place("missing"), folder.url, URL(string: "https://example.com/a")!] {
            try BodyProbe(body: .file(url)).expectFault(.body, url.path)
            var form = MultipartForm()
            form.append(FilePart(url), for: "f")
            try BodyProbe(body: .multipart(form)).expectFault(.body)
            #expect(RequestBody.file(url).length == nil)
        }
    }

    @Test(
        arguments: [
            ("a.png", nil as MIMEType?, MIMEType.png), ("A.JPEG", nil, .jpeg), ("a", nil, .octetStream),
            ("a.png", .json, .json),
        ] as [(String, MIMEType?, MIMEType)])
    func guessesTypeFromFilename(
        name: String, given: MIMEType?, type: MIMEType
    ) throws {
        let body = RequestBody.file(try folder.write("x", to: name), contentType: given)
        #expect(body.contentType == type)
        #expect(try BodyProbe(body: body).httpRequest().headers[.contentType] == type.rawValue)
    }

    @Test func deletedFileIsError() async throws {
        let place = try folder.write("abc", to: "a")
        let body = RequestBody.file(place)
        try FileManager.default.removeItem(at: place)
        let error = try await readingError(body)
        #expect((error.underlying as? TransportError)?.errno == ENOENT)
        #expect(error.description.contains(place.path))
    }

    @Test func fileThatShrinksWhileReadIsErrorAndOneThatGrowsKeepsItsLength() async throws {
        for length in [300_000, 700_000] as [UInt64] {
            let place = try folder.write(Data(count: 600_000), to: "a")
            var iterator = RequestBody.file(place).bytes.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            try FileHandle(forUpdating: place).truncate(atOffset: length)
            do {
                while let chunk = try await iterator.next() { count += chunk.count }
                #expect(length == 700_000)
                #expect(count == 600_000)
            } catch let error as TransportError {
                #expect(length == 300_000)
                #expect(error.code == .requestBodyFailed)
            }
        }
    }

    // MARK: - Streams

    @Test(arguments: [nil, 3]) func opensStreamForEachReading(length: Int?) async throws {
        let opened = Recorder<Bool>()
        let body = RequestBody.stream(length: length, contentType: .csv) {
            opened.append(true)
            return Chunks(chunks: ["a", "", "bc"].map { Data($0.utf8) })
        }
        #expect(body.length == length)
        #expect(body.contentType == .csv)
        #expect(body.data == nil)
        for count in 1...2 {
            #expect(try await bytes(body) == Data("abc".utf8))
            #expect(opened.values.count == count)
        }
    }

    @Test(arguments: [2, 4, 0, Int.max]) func streamOfWrongLengthIsError(length: Int) async throws {
        let error = try await readingError(stream("a", "b", "c", length: length))
        #expect(error.description.contains(length < 3 ? "more" : "fewer"))
        try BodyProbe(body: stream("a", length: -1)).expectFault(.body)
    }

    @Test func keepsErrorOfStreamAndPassesCancellationErrorThrough() async throws {
        func failing(_ error: any Error) -> [RequestBody] {
            [
                stream("a", length: nil, failure: error), stream("a", length: 1, failure: error),
                .stream(length: 1, contentType: nil) { () -> Chunks in throw error },
            ]
        }
        for body in failing(Trouble()) { #expect(try await readingError(body).underlying is Trouble) }
        for body in failing(CancellationError()) {
            await #expect(throws: CancellationError.self) { try await bytes(body) }
        }
    }

    @Test func readsEmptyStream() async throws {
        #expect(try await bytes(stream(length: 0)).isEmpty)
        #expect(try await bytes(stream("", "", length: 0)).isEmpty)
        #expect(try await bytes(stream(length: nil)).isEmpty)
    }

    @Test func cancelStopsReading() async throws {
        let body = RequestBody.file(try folder.write(Data(count: 600_000), to: "a"))
        let task = Task {
            var iterator = body.bytes.makeAsyncIterator()
            _ = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            while try await iterator.next() != nil {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func equalityComparesFilesAndStreamIdentities() throws {
        let place = folder.place("a.png")
        #expect(RequestBody.file(place) == .file(place))
        #expect(RequestBody.file(place) != .file(folder.place("b.png")))
        #expect(RequestBody.file(place) != .file(place, contentType: .json))
        #expect(RequestBody.file(place) != .data(Data(), contentType: .png))
        let (one, other) = (stream("a", length: 1), stream("a", length: 1))
        let copy = one
        #expect(one == copy)
        #expect(one != other)
        #expect(FilePart(one, filename: "a") == FilePart(copy, filename: "a"))
        #expect(FilePart(place) != FilePart(place, filename: "b.png"))
    }

    @Test func descriptionsContainNoBytes() throws {
        let file = RequestBody.file(try folder.write("password=hunter2", to: "a.txt"))
        #expect(file.description == "(the file \(folder.place("a.txt").path), 16 bytes)")
        #expect(stream("hunter2", length: 7).description == "(a stream of 7 bytes)")
        #expect(stream("hunter2", length: nil).description == "(a stream)")
        #expect(RequestBody.file(folder.place("missing")).description.contains("missing"))
    }

    // Opening a pipe for reading waits for a writer, which may never come.
    @Test func rejectsPipeImmediately() throws {
        let place = folder.place("pipe")
        try #require(mkfifo(place.path, 0o600) == 0)
        let finished = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            #expect(throws: RequestError.self) { try BodyProbe(body: .file(place)).httpRequest().prepared(in: Call()) }
            finished.signal()
        }
        guard finished.wait(timeout: .now() + 5) == .timedOut else { return }
        Issue.record("opening the pipe waits for a writer")
        let writer = open(place.path, O_RDWR)
        finished.wait()
        close(writer)
    }
}
