import APIKitClients
import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitUploads

/// What only Google's protocol of commands has: `final` and `cancelled`, the granularity, and the command `finalize`.
@Suite struct GoogleUploadTests {
    private static let chunkSize = 256 << 10

    private static func upload(_ folder: UploadFolder, chunkSize: Int = chunkSize) -> FileUpload {
        FileUpload(file: folder.file, uploadProtocol: .googleUpload, chunkSize: chunkSize)
    }

    /// Returns a client whose responses to questions and chunks a closure decides, by the command.
    private static func server(
        _ answer: @escaping @Sendable (String, HTTPRequest) -> (Int, HTTPHeaders)
    ) -> some APIClient {
        StubClient { request in
            let command = request.headers["X-Goog-Upload-Command"] ?? ""
            let started: HTTPHeaders = ["X-Goog-Upload-Status": "active", "X-Goog-Upload-URL": "/uploads/1"]
            let (status, headers) = command == "start" ? (200, started) : answer(command, request)
            let head = HTTPResponse.Head(status: status, headers: headers, url: request.url)
            return HTTPResponse(head: head, body: ResponseBody(Data(#"{"id": 7}"#.utf8)), request: request)
        }
        .timed(by: ManualClock(skippingSleep: true))
    }

    // MARK: - Chunks

    @Test(
        arguments: [
            ("400000", 999_999, [800_000, 200_000]), ("1", 600_000, [600_000, 400_000]),
            ("400000", 1, [400_000, 400_000, 200_000]), ("0", 786_433, [786_432, 213_568]),
            ("x", 786_433, [786_432, 213_568]), ("9223372036854775807", 1, [1_000_000]),
        ] as [(String, Int, [Int])])
    func chunksAreMultiplesOfTheGranularity(granularity: String, chunkSize: Int, lengths: [Int]) async throws {
        let folder = try UploadFolder(size: 1_000_000)
        let server = UploadServer(.google, limits: ["X-Goog-Upload-Chunk-Granularity": granularity])
        let sent = Recorder<Int>()
        let client = server.intercepted { request, _, next in
            let isChunk = request.headers["X-Goog-Upload-Offset"] != nil
            if isChunk, let length = request.body?.length { sent.append(length) }
            return try await next(request)
        }
        _ = try await client.upload(Self.upload(folder, chunkSize: chunkSize))
        #expect(sent.values == lengths)
        #expect(await server.bytes == folder.bytes)
    }

    /// The granularity is stated once, so the journal has it for the next process.
    @Test func theNextProcessRespectsTheGranularity() async throws {
        let granularity = 320 << 10
        let folder = try UploadFolder(size: 3 * granularity)
        let server = UploadServer(
            .google, [.happens {}, .status(403)], limits: ["X-Goog-Upload-Chunk-Granularity": "\(granularity)"])
        let upload = Self.upload(folder, chunkSize: 300 << 10)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        let offsets = ["send 0", "send \(granularity)", "ask", "send \(granularity)", "send \(2 * granularity)"]
        #expect(await server.log == ["create"] + offsets)
    }

    // MARK: - The end

    /// The server has all bytes, but the command that ends the upload got lost.
    @Test func anUploadThatIsNotFinalIsFinalized() async throws {
        let folder = try UploadFolder(size: 1000)
        let commands = Recorder<String>()
        let server = Self.server { command, _ in
            commands.append(command)
            switch command {
            case "query": return (200, ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "1000"])
            case "finalize": return (200, ["X-Goog-Upload-Status": "final"])
            default: return (503, [:])
            }
        }
        #expect(try await server.upload(Self.upload(folder)) == FileReply(id: 7))
        #expect(commands.values == ["upload, finalize", "query", "finalize"])
    }

    @Test func aLostLastResponseIsThatOfTheQuestion() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = Self.server { command, _ in
            command == "query" ? (200, ["X-Goog-Upload-Status": "final"]) : (503, [:])
        }
        #expect(try await server.upload(Self.upload(folder), keepingStateIn: folder.state) == FileReply(id: 7))
        #expect(folder.journals.isEmpty)
    }

    @Test(arguments: ["cancelled", "CANCELLED", "final"])
    func anUploadThatHasEndedStartsOver(status: String) async throws {
        let folder = try UploadFolder(size: 3 * Self.chunkSize)
        let server = UploadServer(.google, [.happens {}, .lostResponse])
        let client = server.intercepted { request, _, next in
            let isQuestion = request.headers["X-Goog-Upload-Command"] == "query"
            guard isQuestion else { return try await next(request) }
            let head = HTTPResponse.Head(status: 400, headers: ["X-Goog-Upload-Status": status], url: request.url)
            return HTTPResponse(head: head, request: request)
        }
        _ = try await client.upload(Self.upload(folder), keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.filter { $0 == "create" }.count == 2)
    }

    /// As Firebase does if a rule forbids the file.
    @Test func aRefusedEndIsTheEndpointsFailureAndTheNextUploadStartsOver() async throws {
        let folder = try UploadFolder(size: 1000)
        let commands = Recorder<String>()
        let server = Self.server { command, _ in
            commands.append(command)
            return (403, ["X-Goog-Upload-Status": "final"])
        }
        for _ in 1...2 {
            let error = await #expect(throws: APIError<Data>.self) {
                try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
            }
            #expect(error?.status == 403)
        }
        #expect(commands.values == ["upload, finalize", "query", "upload, finalize"])
    }

    @Test func abandoningCancelsTheUpload() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.google, [.status(403)])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        try await server.abandonUpload(upload, keptIn: folder.state)
        #expect(await server.isAbandoned)
        #expect(folder.journals.isEmpty)
    }

    // MARK: - The server's word

    @Test(arguments: [308, 400, 409, 412, 416])
    func aChunkThatDoesNotFitIsFollowedByAQuestion(status: Int) async throws {
        let folder = try UploadFolder(size: 3 * Self.chunkSize)
        let server = UploadServer(.google, [.happens {}, .status(status, ["X-Goog-Upload-Status": "active"])])
        _ = try await server.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log[3] == "ask")
    }

    @Test func aRequestThatIsRefusedIsNotRepeated() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.google, [.status(400)])
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.status == 400)
        #expect(await server.log == ["create", "send 0"])
    }

    @Test func continuesWhereAServerStandsThatLostBytes() async throws {
        let folder = try UploadFolder(size: 4 * Self.chunkSize)
        let server = UploadServer(.google, [.happens {}, .loses(allBut: Self.chunkSize), .loses(allBut: 0)])
        _ = try await server.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
    }

    @Test(arguments: ["262145", "1000000", "9223372036854775807"])
    func moreBytesThanWereSentAreAFailure(count: String) async throws {
        let folder = try UploadFolder(size: 1_000_000)
        let server = Self.server { _, _ in
            (200, ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": count])
        }
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        }
        #expect(error?.transportError?.code == .badResponse)
        #expect(folder.journals.isEmpty)
    }

    /// The response to a question has no valid status or number.
    @Test(
        arguments: [
            ["X-Goog-Upload-Size-Received": "0"], ["X-Goog-Upload-Status": "active"],
            ["X-Goog-Upload-Status": "paused", "X-Goog-Upload-Size-Received": "0"],
            ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "-1"],
            ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "0, 0"], [:],
        ] as [HTTPHeaders])
    func aResponseThatDoesNotFitTheProtocolIsAFailure(headers: HTTPHeaders) async throws {
        let folder = try UploadFolder(size: 1_000_000)
        let server = Self.server { command, _ in command == "query" ? (200, headers) : (503, [:]) }
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.transportError?.code == .badResponse)
    }

    @Test func aSuccessWithoutAStatusIsFollowedByAQuestion() async throws {
        let folder = try UploadFolder(size: 3 * Self.chunkSize)
        let server = UploadServer(.google, [.happens {}, .status(200)])
        _ = try await server.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log[3] == "ask")
    }

    /// As from a proxy that knows nothing of uploads.
    @Test func successesWithoutAStatusAreAFailure() async throws {
        let folder = try UploadFolder(size: 1_000_000)
        let server = Self.server { _, _ in (200, [:]) }
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.transportError?.code == .badResponse)
    }

    @Test(arguments: ["https://evil.example/1", "http://api.example/1", "", "https://api.example:444/1"])
    func anUploadElsewhereIsRefusedAndNotStored(location: String) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.google)
        let client = server.intercepted { request, _, next in
            var response = try await next(request)
            response.head.headers["X-Goog-Upload-URL"] = location
            return response
        }
        _ = try? await client.upload(Self.upload(folder), keepingStateIn: folder.state)
        #expect(await server.requests.map(\.url.absoluteString).allSatisfy { $0 == "https://api.example/files" })
        #expect(folder.journals.isEmpty)
    }
}
