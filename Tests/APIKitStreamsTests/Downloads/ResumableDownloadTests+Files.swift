import APIKitCore
import Foundation
import TestSupport
import Testing

@testable import APIKitStreams

// The files beside the destination.
extension ResumableDownloadTests {
    private static let url = "https://films.example.com/film.mp4"

    @Test(arguments: [
        // Tags that could add a header.
        "\"1\"\r\nX-Evil: 1\n*", "\"1\"\r\n*", "\"1\"\n\n*", "\r\n*", "\0\n*", "\n*",
        // Totals that do not fit.
        "\"1\"\n4", "\"1\"\n+10", "\"1\"\n-1", "\"1\"\n10 ", "\"1\"\nx", "\"1\"\n",
        "\"1\"\n99999999999999999999",
    ]) func invalidRecordStartsOver(tagAndTotal: String) async throws {
        try await breakOff()
        try folder.write("\(Self.url)\n\(tagAndTotal)\n", to: "film.mp4.part.tag")
        #expect(download.headers == [.acceptEncoding: "identity"])
        try expectWhole(try await attempt(answer(200, [:], Self.film)).file)
    }

    @Test func invalidRecordStillAllowsRequest() async throws {
        try await breakOff()
        try folder.write(Data([0x0A, 0xFF, 0xFE, 0x22, 0x0A, 0x2A, 0x0A]), to: "film.mp4.part.tag")
        _ = try FilmRequest(download: download).httpRequest()
    }

    @Test func partWithoutRecordStartsOver() async throws {
        try folder.write("xxxxx", to: "film.mp4.part")
        #expect(download.headers[.range] == nil)
        try expectWhole(try await attempt(answer(200, [:], Self.film)).file)
    }

    @Test func discardRemovesPart() async throws {
        try await breakOff()
        #expect(try folder.names == ["film.mp4.part", "film.mp4.part.tag"])
        try folder.write("mine", to: "film.mp4")
        download.discard()
        download.discard()
        #expect(try folder.names == ["film.mp4"])
    }

    @Test func recordIsReadableByUserOnly() async throws {
        try await breakOff()
        for name in try folder.names {
            #expect(try folder.permissions(of: name) == 0o600)
        }
    }

    // MARK: - The record

    @Test func readsARecord() async throws {
        try await breakOff()
        try folder.write("\(Self.url)\n\"1\"\n10\n", to: "film.mp4.part.tag")
        #expect(download.headers[.ifRange] == "\"1\"")
        try expectWhole(try await attempt(partial("5-9/*", "56789")).file)
    }

    // On Apple's platforms, the record of a complete file has the file's version too.
    @Test func recordKeepsVersion() throws {
        try folder.write("\(Self.url)\n\"1\"\n10\n7 AQI=\n", to: "a")
        let record = try #require(DownloadRecord(at: folder.place("a")))
        #expect(record.version == "7 AQI=")
        #expect(record.total == 10)
        try record.write(to: folder.place("b"))
        #expect(try folder.text("b") == folder.text("a"))
        for count in 1..<8 {
            try folder.write(Data(try folder.text("a").utf8.dropLast(count)), to: "b")
            #expect(DownloadRecord(at: folder.place("b"))?.version == nil, "\(count)")
        }
    }

    @Test func interruptedRecordStartsOver() async throws {
        try await breakOff([.eTag: "\"1\"", .contentLength: "10"])
        let record = try folder.text("film.mp4.part.tag")
        for count in 0..<record.utf8.count {
            try folder.write(Data(record.utf8.prefix(count)), to: "film.mp4.part.tag")
            #expect(download.headers == [.acceptEncoding: "identity"], "\(count)")
        }
        #expect(try await attempt(partial("5-9/10", "56789")).error?.code == .badResponse)
        #expect(try folder.names.isEmpty)
    }

    // MARK: - Planted files

    /// What another user may put in place of a file of the download.
    enum Plant: Sendable, CaseIterable { case symbolicLink, danglingLink, hardLink, pipe }

    private static let record = "\(url)\n\"1\"\n*\n"

    private func plant(_ plant: Plant, at name: String) throws {
        let (place, victim) = (folder.place(name), folder.place("victim"))
        switch plant {
        case .symbolicLink: try FileManager.default.createSymbolicLink(at: place, withDestinationURL: victim)
        case .danglingLink:
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: folder.place("nothing"))
        case .hardLink: try FileManager.default.linkItem(at: victim, to: place)
        case .pipe: #expect(mkfifo(place.path, 0o600) == 0)
        }
    }

    @Test(arguments: Plant.allCases) func doesNotWriteThroughPlantedPart(kind: Plant) async throws {
        try folder.write("01234", to: "victim")
        try folder.write(Self.record, to: "film.mp4.part.tag")
        try plant(kind, at: "film.mp4.part")
        #expect(download.headers == [.acceptEncoding: "identity"])
        #expect(try await attempt(answer(200, [.eTag: "\"1\""], Self.film)).file?.size == 10)
        try expectVictim("01234", besides: ["film.mp4", "film.mp4.download.tag"])
        let attributes = try FileManager.default.attributesOfItem(atPath: download.destination.path)
        #expect(attributes[.type] as? FileAttributeType == .typeRegular)
    }

    @Test(arguments: Plant.allCases) func doesNotAppendToPlantedPart(kind: Plant) async throws {
        try folder.write("01234", to: "victim")
        try folder.write(Self.record, to: "film.mp4.part.tag")
        try plant(kind, at: "film.mp4.part")
        #expect(try await attempt(partial("5-9/10", "56789")).error?.code == .badResponse)
        try expectVictim("01234", besides: [])
    }

    @Test(arguments: Plant.allCases) func doesNotWriteThroughPlantedRecord(kind: Plant) async throws {
        try folder.write(Self.record, to: "victim")
        try folder.write("01234", to: "film.mp4.part")
        try plant(kind, at: "film.mp4.part.tag")
        #expect(download.headers == [.acceptEncoding: "identity"])
        try await attempt(answer(200, [.eTag: "\"2\""], "01234", isBroken: true))
        #expect(try folder.text("victim") == Self.record)
        #expect(try await attempt(partial("5-9/10", "56789", tag: "\"2\"")).file?.size == 10)
        try expectVictim(Self.record, besides: ["film.mp4", "film.mp4.download.tag"])
        #expect(try folder.text("film.mp4") == Self.film)
    }

    /// Expects that the victim has not changed, and that these are the files beside it.
    private func expectVictim(_ text: String, besides names: [String]) throws {
        #expect(try folder.names == names + ["victim"])
        #expect(try folder.text("victim") == text)
    }

    @Test func folderInPlaceOfPartIsFileFailure() async throws {
        let part = folder.place("film.mp4.part")
        try FileManager.default.createDirectory(at: part, withIntermediateDirectories: false)
        let error = try await ImmediateClient(answer(200, [:], "x")).failure(of: FilmRequest(download: download))
        #expect(error.transportError?.errno == EISDIR)
        download.discard()
        #expect(part.exists)
    }

    // MARK: - Simultaneous downloads

    /// A response whose body runs code between its two chunks.
    private func answer(
        _ headers: HTTPHeaders, doing work: @escaping @Sendable () async throws -> Void
    ) -> HTTPResponse {
        let turns = Recorder<Void>()
        let body = AsyncThrowingStream<Data, any Error> {
            switch turns.append(()) {
            case 1: return Data("01234".utf8)
            case 2:
                try await work()
                return Data("56789".utf8)
            default: return nil
            }
        }
        let head = HTTPResponse.Head(status: 200, headers: headers, url: WireProbe.root)
        return HTTPResponse(head: head, body: ResponseBody(ByteStream(body)))
    }

    @Test(arguments: [200, 206, 416]) func rejectsSecondDownloadToDestination(status: Int) async throws {
        let second = answer(status, [.eTag: "\"1\"", .contentRange: "bytes 5-9/10"], "vwxyz")
        let response = answer([.eTag: "\"1\""]) {
            // Another value, as another part of a program would create it.
            let request = FilmRequest(download: ResumableDownload(to: download.destination))
            let error = try await ScriptedClient(second).failure(of: request)
            #expect(error.transportCode == .fileInUse)
            #expect(error.description.contains("another transfer uses the file"), "\(error)")
            download.discard()
        }
        for response in [response, answer(200, [:], Self.film)] { try expectWhole(try await attempt(response).file) }
    }

    @Test func keepsPartThatReplacedThisOne() async throws {
        let response = answer([.eTag: "\"1\""]) {
            try FileManager.default.removeItem(at: folder.place("film.mp4.part"))
            try await attempt(answer(200, [.eTag: "\"2\""], "01", isBroken: true))
        }
        let error = try await ScriptedClient(response).failure(of: FilmRequest(download: download))
        #expect(error.transportError?.errno == ENOENT)
        #expect(!download.destination.exists)
        #expect(try folder.text("film.mp4.part") == "01")
        #expect(download.headers[.ifRange] == "\"2\"")
    }
}
