import APIKitCore
import Foundation
import TestSupport
import Testing

/// Forms whose parts are not in memory.
@Suite(.timeLimit(.minutes(10))) struct MultipartFormFilesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }
    private func bytes(_ body: RequestBody) async throws -> Data { try await body.bytes.data(upTo: 10_000_000) }

    /// A form with the same parts each time, the file's bytes given in one way or another.
    private func form(_ file: FilePart, boundary: String = "b") -> MultipartForm {
        var form = MultipartForm(boundary: boundary)
        form.append("two\nlines", for: "title")
        form.append(file, for: "photo")
        form.append("", for: "end")
        return form
    }

    private func stream(_ data: Data, length: Int?) -> RequestBody {
        .stream(length: length, contentType: nil) { Chunks(chunks: [data.prefix(3), Data(), data.dropFirst(3)]) }
    }

    @Test(arguments: [0, 5, 300_000]) func streamsTheSameBytesAsInMemory(count: Int) async throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let expected = try #require(RequestBody.multipart(form(FilePart(data, filename: "a.png"))).data)
        let place = try folder.write(data, to: "a.png")
        let streamed = FilePart(stream(data, length: count), filename: "a.png")
        for file in [FilePart(data, filename: "a.png"), FilePart(place), streamed] {
            let body = RequestBody.multipart(form(file))
            #expect(body.length == expected.count)
            for _ in 0..<2 { #expect(try await bytes(body) == expected) }
        }
        let unknown = RequestBody.multipart(form(FilePart(stream(data, length: nil), filename: "a.png")))
        #expect(unknown.length == nil)
        #expect(unknown.data == nil)
        #expect(try await bytes(unknown) == expected)
    }

    @Test func writesAnyNumberOfParts() async throws {
        let empty = RequestBody.multipart(MultipartForm(boundary: "b"))
        #expect(empty.length == 7)
        #expect(try await bytes(empty) == Data("--b--\r\n".utf8))

        var form = MultipartForm(boundary: "b")
        for number in 0..<3 { form.append(FilePart(try folder.write("<\(number)>", to: "\(number).txt")), for: "f") }
        let all = try await bytes(.multipart(form))
        #expect(RequestBody.multipart(form).length == all.count)
        let parts = try WireDecoding.parts(Array(all), boundary: "b")
        #expect(parts.map { String(decoding: $0.body, as: UTF8.self) } == ["<0>", "<1>", "<2>"])
        #expect(parts.allSatisfy { $0.headers[1] == "Content-Type: text/plain" })
    }

    @Test func nestsForms() async throws {
        let file = FilePart(try folder.write("abc", to: "a.txt"))
        let inner = RequestBody.multipart(form(file, boundary: "inner"))
        let outer = RequestBody.multipart(form(FilePart(inner, filename: nil), boundary: "outer"))
        let all = try await bytes(outer)
        #expect(outer.length == all.count)
        let parts = try WireDecoding.parts(Array(all), boundary: "outer")
        #expect(parts[1].headers[1] == "Content-Type: multipart/form-data; boundary=inner")
        #expect(Data(parts[1].body) == (try await bytes(inner)))
    }

    @Test func failsIfAPartCannotBeRead() async throws {
        let place = try folder.write("abc", to: "a.txt")
        let body = RequestBody.multipart(form(FilePart(place)))
        try FileManager.default.removeItem(at: place)
        #expect(body.length == nil)
        for body in [body, .multipart(form(FilePart(stream(Data("abc".utf8), length: 4), filename: nil)))] {
            let error = try await #require(throws: TransportError.self) { _ = try await bytes(body) }
            #expect(error.code == .requestBodyFailed)
        }
    }

    @Test func rejectsInvalidParts() throws {
        let part = FilePart(RequestBody.form(["ratio": Double.nan]), filename: nil)
        try BodyProbe(body: .multipart(form(part))).expectFault(.parameters)
        _ = try BodyProbe(body: .multipart(form(FilePart(stream(Data(), length: -5), filename: nil)))).fault()
    }

    // Each fits into an Int, their sum does not.
    @Test func hugeLengthsDoNotTrap() {
        let huge = RequestBody.stream(length: .max, contentType: nil) { ByteStream([]) }
        let body = RequestBody.multipart(form(FilePart(huge, filename: "a")))
        #expect(body.length == nil)
        #expect(body.description.contains("\(Int.max) bytes"))
    }

    @Test func descriptionHoldsNoBytesOfFiles() throws {
        let place = try folder.write("hunter2", to: "a.txt")
        var form = form(FilePart(place))
        form.append(FilePart(stream(Data("hunter2".utf8), length: nil), filename: nil), for: "stream")
        form.append(FilePart(stream(Data("hunter2".utf8), length: 7), filename: nil), for: "token")
        let lines = [
            "title: two lines", "photo: a.txt (text/plain, 7 bytes)", "end:", "stream: (a stream)", "token: ***",
        ]
        #expect(form.description == lines.joined(separator: "\n"))
    }
}
