import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

// A complete file that is requested again: RFC 9110, section 13.1.
extension ResumableDownloadTests {
    private struct MovieRequest: ResumableRequest {
        let download: ResumableDownload
        var path: URLPath = "film.mp4"
        var base: APIBase { "https://films.example.com" }
    }

    private func send(
        _ response: HTTPResponse, path: URLPath = "film.mp4"
    ) async throws -> (headers: HTTPHeaders, file: DownloadedFile) {
        let client = ScriptedClient(response)
        let file = try await client.send(MovieRequest(download: download, path: path))
        return (client.requests[0].headers, file)
    }

    private func headers(path: URLPath = "film.mp4") throws -> HTTPHeaders {
        try MovieRequest(download: download, path: path).httpRequest().headers
    }

    @Test(
        arguments: [
            ([.eTag: "\"1\""], .ifNoneMatch, "\"1\""),
            (
                [.lastModified: "Sat, 21 Nov 2026 09:00:00 GMT", .date: "Sat, 21 Nov 2026 10:00:00 GMT"],
                .ifModifiedSince, "Sat, 21 Nov 2026 09:00:00 GMT"
            ),
        ] as [(HTTPHeaders, HTTPHeaders.Name, String)])
    func unchangedFileIsNotTransferredAgain(
        validator: HTTPHeaders, condition: HTTPHeaders.Name, value: String
    ) async throws {
        try expectWhole(try await send(answer(200, validator, Self.film)).file)
        for confirmation in [validator, validator, [:]] {
            let (sent, file) = try await send(answer(304, confirmation, ""))
            #expect(sent[condition] == value)
            #expect(sent[.range] == nil)
            try expectWhole(file)
        }
    }

    @Test func changedFileIsTransferredAgain() async throws {
        _ = try await send(answer(200, [.eTag: "\"1\""], "an older film"))
        try expectWhole(try await send(answer(200, [.eTag: "\"2\""], Self.film)).file)
        #expect(try headers()[.ifNoneMatch] == "\"2\"")
        _ = try await send(answer(200, [:], Self.film))
        #expect(try headers()[.ifNoneMatch] == nil)
        #expect(try folder.names == ["film.mp4"])
    }

    @Test func resumedFileIsNotTransferredAgain() async throws {
        try await breakOff()
        try expectWhole(try await send(partial("5-9/10", "56789")).file)
        for tag in ["\"1\"", "W/\"1\""] { try expectWhole(try await send(answer(304, [.eTag: tag], "")).file) }
    }

    @Test func fileThatUserHasChangedIsTransferredAgain() async throws {
        _ = try await send(answer(200, [.eTag: "\"1\""], Self.film))
        let place = download.destination.path
        #if canImport(Darwin)
        // The version, not the date, shows a change.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: 9)], ofItemAtPath: place)
        #expect(try headers()[.ifNoneMatch] == "\"1\"")
        for isAtomic in [false, true] {
            let changed = Data("0123x56789".utf8)
            try changed.write(to: download.destination, options: isAtomic ? .atomic : [])
            #expect(try headers()[.ifNoneMatch] == nil)
        }
        #else
        for (seconds, tag) in [(9.0, nil), (-9, "\"1\"")] {
            let date = Date(timeIntervalSinceNow: seconds)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: place)
            #expect(try headers()[.ifNoneMatch] == tag)
        }
        #endif
        try folder.write("shorter", to: "film.mp4")
        #expect(try headers()[.ifNoneMatch] == nil)
        try FileManager.default.removeItem(atPath: place)
        #expect(try headers()[.ifNoneMatch] == nil)
    }

    @Test func fileFromOtherURLIsTransferred() async throws {
        _ = try await send(answer(200, [.eTag: "\"1\""], Self.film))
        #expect(try headers(path: "other.mp4")[.ifNoneMatch] == nil)
        #expect(try headers()[.ifNoneMatch] == "\"1\"")
        // So is one whose record is discarded.
        download.discard()
        #expect(try headers()[.ifNoneMatch] == nil)
        #expect(try folder.names == ["film.mp4"])
    }

    @Test func brokenTransferOfChangedFileIsResumed() async throws {
        _ = try await send(answer(200, [.eTag: "\"1\""], "an older film"))
        await #expect(throws: APIError<Data>.self) {
            try await send(answer(200, [.eTag: "\"2\""], "0", isBroken: true))
        }
        #expect(try headers()[.ifNoneMatch] == nil)
        #expect(try headers()[.ifRange] == "\"2\"")
        try expectWhole(try await send(partial("1-9/10", "123456789", tag: "\"2\"")).file)
    }

    @Test func confirmationOfAnotherFileStartsOver() async throws {
        _ = try await send(answer(200, [.eTag: "\"1\""], Self.film))
        let error = try await ScriptedClient(answer(304, [.eTag: "\"2\""], ""))
            .failure(of: MovieRequest(download: download))
        #expect(error.transport?.code == .badResponse)
        #expect(try headers()[.ifNoneMatch] == nil)
        try expectWhole(try await send(answer(200, [:], Self.film)).file)
    }
}
