import APIKitClients
import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitUploads

/// What a server of the IETF draft states about sizes.
@Suite struct UploadLimitTests {
    private static func upload(_ folder: UploadFolder, chunkSize: Int = 1000) -> FileUpload {
        FileUpload(file: folder.file, uploadProtocol: .draft, chunkSize: chunkSize)
    }

    @Test(
        arguments: [
            ("max-size=5", UploadLimits(largestFile: 5)),
            ("max-append-size=7 , min-append-size=3;a=\"b,c\"", UploadLimits(smallestChunk: 3, largestChunk: 7)),
            ("min-size=1, x=\"max-size=1, y\", max-age=60", UploadLimits(smallestFile: 1)),
            ("max-size=1, max-size=2", UploadLimits(largestFile: 2)),
            ("max-size=999999999999999", UploadLimits(largestFile: 999_999_999_999_999)),
            ("", UploadLimits()), ("expires=1.5, *x, MAX-SIZE=4", UploadLimits()),
            ("max-size=1000000000000000", nil), ("max-size=1.0", nil), ("max-size", nil), ("max-size=\"5\"", nil),
            ("max-size=-5", nil), ("max-append-size=(1 2)", nil), ("max-size=5, min-size=?1", nil),
        ] as [(String, UploadLimits?)])
    func headersAreDictionariesOfIntegers(text: String, limits: UploadLimits?) {
        #expect(UploadLimits(uploadLimit: ["Upload-Limit": text]) == limits)
    }

    @Test func aMissingHeaderStatesNothing() {
        #expect(UploadLimits(uploadLimit: [:]) == nil)
    }

    // MARK: - Chunks

    @Test(
        arguments: [
            ("max-append-size=400", 1000, [0, 400, 800]), ("min-append-size=700", 100, [0, 700]),
            ("max-append-size=400, min-append-size=700", 1000, [0, 400, 800]), ("max-append-size=5000", 600, [0, 600]),
            ("max-append-size=x", 600, [0, 600]),
        ] as [(String, Int, [Int])])
    func chunksHaveTheSizesThatTheServerAccepts(limits: String, chunkSize: Int, offsets: [Int]) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, limits: ["Upload-Limit": limits])
        _ = try await server.upload(Self.upload(folder, chunkSize: chunkSize))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log.dropFirst() == offsets.map { "send \($0)" }[...])
    }

    @Test func theNextProcessRespectsTheLimits() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(
            .draft, [.happens {}, .status(403)], limits: ["Upload-Limit": "max-append-size=400"])
        let upload = Self.upload(folder)
        await #expect(throws: APIError<Data>.self) { try await server.upload(upload, keepingStateIn: folder.state) }
        _ = try await server.upload(upload, keepingStateIn: folder.state)
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log == ["create", "send 0", "send 400", "ask", "send 400", "send 800"])
    }

    /// The response to a question states other limits than that to the creation.
    @Test func theLastStatedLimitsCount() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, [.lostResponse], limits: ["Upload-Limit": "max-append-size=400"])
        let client = server.intercepted { request, _, next in
            var response = try await next(request)
            if request.method == .head { response.head.headers["Upload-Limit"] = "max-append-size=250" }
            return response
        }
        _ = try await client.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log == ["create", "send 0", "ask", "send 400", "send 650", "send 900"])
    }

    @Test func anUploadThatStartsOverHasItsOwnLimits() throws {
        let url = try #require(URL(string: "https://api.example/uploads/1"))
        let wish = ChunkSizes.Wish(longest: 1000, shortest: 1, multiple: 1)
        var state = UploadState(size: 5000, chunks: wish, attempts: 5)
        state.created(at: url, within: UploadLimits(largestChunk: 10))
        #expect(state.chunk(from: 0) == 0..<10)
        #expect(state.apply(.unknown, to: .chunk) == .proceed)
        state.created(at: url)
        state.willSend(0..<500)
        #expect(state.apply(.received(500), to: .chunk) == .proceed)
        #expect(state.chunk(from: 500).count > 10)
    }

    @Test func aChunkThatIsTooLargeIsSentInSmallerOnes() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, [.status(413, ["Upload-Limit": "max-append-size=300"])])
        _ = try await server.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
        #expect(await server.log == ["create", "send 0", "ask", "send 0", "send 300", "send 600", "send 900"])
    }

    @Test(arguments: [[:], ["Upload-Limit": "max-append-size=5000"], ["Upload-Limit": "x"]] as [HTTPHeaders])
    func aRefusalWithoutALowerLimitIsTheEndpointsFailure(headers: HTTPHeaders) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, [.status(413, headers)])
        let error = await #expect(throws: APIError<Data>.self) { try await server.upload(Self.upload(folder)) }
        #expect(error?.status == 413)
    }

    @Test(arguments: [(100, 0), (320 << 10, 320 << 10), (1 << 20, 1 << 20), (.max, .max)] as [(Int, Int)])
    func shortestChunksAreMultiplesToo(minimum: Int, longest: Int) {
        let multiple = 320 << 10
        let wish = ChunkSizes.Wish(longest: longest, shortest: minimum, multiple: multiple)
        let sizes = ChunkSizes(wish, within: nil)
        let halves = sequence(first: sizes.longest) { $0 == sizes.half(of: $0) ? nil : sizes.half(of: $0) }
        #expect(halves.allSatisfy { $0 > 0 && $0 % multiple == 0 })
        #expect(sizes.half(of: multiple) <= sizes.longest)
    }

    // MARK: - Files

    @Test(arguments: ["max-size=999", "min-size=1001", "max-append-size=0"])
    func aFileOfASizeThatTheServerDoesNotAcceptIsNotSent(limits: String) async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, limits: ["Upload-Limit": limits])
        let error = await #expect(throws: APIError<Data>.self) {
            try await server.upload(Self.upload(folder), keepingStateIn: folder.state)
        }
        #expect(error?.requestError?.code == .body)
        #expect(error?.description.contains("the server accepts") == true)
        #expect(await server.log == ["create", "DELETE"])
        #expect(folder.journals.isEmpty)
    }

    @Test func aFileOfTheLargestSizeIsSent() async throws {
        let folder = try UploadFolder(size: 1000)
        let server = UploadServer(.draft, limits: ["Upload-Limit": "max-size=1000, min-size=1000"])
        _ = try await server.upload(Self.upload(folder))
        #expect(await server.bytes == folder.bytes)
    }
}
