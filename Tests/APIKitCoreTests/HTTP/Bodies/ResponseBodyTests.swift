import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ResponseBodyTests {
    @Test func descriptionIsOneLineOfTextOrASize() {
        #expect(ResponseBody().data == Data())
        #expect(ResponseBody().description == "")
        #expect(ResponseBody(Data("a\r\n  b\n\n\tc".utf8)).description == "a b c")
        for bytes in [[0x89, 0x50, 0x4E, 0x47, 0x00, 0x01], [0x1F, 0x8B, 8, 0], [0]] as [[UInt8]] {
            #expect(ResponseBody(Data(bytes)).description == "(\(bytes.count) bytes)")
        }
        let cut = ResponseBody(Data(String(repeating: "x", count: 100_000).utf8)).description
        #expect(cut.hasPrefix("xxx"))
        #expect(cut.hasSuffix("…"))
        #expect(cut.count <= 201)
    }

    // A description reads neither a stream nor a file.
    @Test func hasWhatItWasDeliveredAs() throws {
        let file = try TemporaryFile()
        try file.write(Data("hunter2".utf8))
        #expect(ResponseBody(file.ownedFile).data == nil)
        #expect(ResponseBody(file.ownedFile).file == file.url)
        #expect(ResponseBody(file.ownedFile).description == "")
        #expect(ResponseBody(ByteStream("hunter2")).data == nil)
        #expect(ResponseBody(ByteStream("hunter2")).file == nil)
        #expect(ResponseBody(ByteStream("hunter2")).description == "")
        #expect(ResponseBody(Data("a".utf8)).file == nil)
    }

    @Test func itsBytesKeepTheFileWhereItIs() async throws {
        var file: TemporaryFile? = try TemporaryFile()
        try file?.write(Data(repeating: 7, count: 600_000))
        let url = try #require(file?.url)
        var stream = (file?.ownedFile).map { ResponseBody($0).bytes }
        file = nil
        #expect(url.exists)
        #expect(try await stream?.data(upTo: 600_000) == Data(repeating: 7, count: 600_000))
        stream = nil
        #expect(!url.exists)
    }

    @Test func theLastCopyRemovesTheFile() throws {
        let folder = try TemporaryFolder()
        let url = try folder.write("abc", to: "a")
        var bodies = [ResponseBody(removing: url)]
        bodies.append(bodies[0])
        #expect(bodies[1].file == url)
        bodies.removeLast()
        #expect(url.exists)
        bodies.removeLast()
        #expect(!url.exists)
    }

    @Test func aModelInMemoryIsReadFromAnyDelivery() async throws {
        let file = try TemporaryFile()
        try file.write(Data(#"{"id":1,"login":"ada"}"#.utf8))
        let head = HTTPResponse.Head(status: 200, url: URL(string: "https://api.example.com")!)
        let stream = ByteStream(Chunks(#"{"id":1,"login":"ada"}"#))
        for body in [ResponseBody(file.ownedFile), ResponseBody(stream)] {
            let account = try await ImmediateClient(HTTPResponse(head: head, body: body)).send(AccountRequest())
            #expect(account == Account(id: 1, login: "ada"))
        }
    }
}
