import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite struct HTTPRequestCompressionTests {
    private let text = String(repeating: "tea ", count: 256)
    private let options = RequestOptions(compressesBody: true)

    private func compressed(
        _ body: RequestBody?, headers: HTTPHeaders = [:], options: RequestOptions? = nil
    ) throws -> HTTPRequest {
        let request = HTTPRequest(
            method: .post, url: WireProbe.root, headers: headers, body: body, options: options ?? self.options)
        return try request.prepared(in: Call()).compressingBody()
    }

    @Test func bodyIsCompressedIfTheOptionsSaySo() throws {
        let request = try compressed(.text(text))
        #expect(request.headers == [.contentType: MIMEType.plainText.rawValue, .contentEncoding: "gzip"])
        let length = try #require(request.body?.length)
        #expect(length < 100)
        #expect(request.body?.data?.starts(with: [0x1F, 0x8B]) == true)
    }

    @Test(arguments: [nil, false]) func bodyIsPlainOtherwise(compresses: Bool?) throws {
        let request = try compressed(.text(text), options: RequestOptions(compressesBody: compresses))
        #expect(request.body == .text(text))
        #expect(request.headers[.contentEncoding] == nil)
    }

    @Test func formInMemoryIsCompressed() throws {
        var form = MultipartForm()
        form.append(text, for: "text")
        let request = try compressed(.multipart(form))
        #expect(request.headers[.contentEncoding] == "gzip")
        #expect(request.headers[.contentType] == form.contentType.rawValue)
    }

    @Test func otherBodiesAreSentAsTheyAre() throws {
        let random = Data((0..<2048).map { _ in UInt8.random(in: 0...255) })
        let stream = RequestBody.stream(length: 4, contentType: nil) { ByteStream([Data("text".utf8)]) }
        for body in [.text(String(text.dropLast())), .data(random, contentType: nil), stream, nil] as [RequestBody?] {
            let request = try compressed(body)
            #expect(request.headers[.contentEncoding] == nil)
            #expect(request.body?.length == body?.length)
        }
        let encoded = try compressed(.text(text), headers: [.contentEncoding: "br"])
        #expect(encoded.headers[.contentEncoding] == "br")
        #expect(encoded.body == .text(text))
    }

    @Test(arguments: ["Content-Range", "Content-Digest", "Content-MD5", "digest", "Repr-Digest"])
    func bodyWhoseBytesAHeaderDescribesIsSentAsItIs(header: String) throws {
        let request = try compressed(.text(text), headers: [HTTPHeaders.Name(rawValue: header): "x"])
        #expect(request.headers[.contentEncoding] == nil)
        #expect(request.body == .text(text))
    }

    @Test func callsAndEndpointsOverrideTheAPI() {
        let api = RequestOptions(compressesBody: true)
        #expect(RequestOptions().addingMissing(from: api).compressesBody == true)
        #expect(RequestOptions(compressesBody: false).addingMissing(from: api).compressesBody == false)
    }

    @Test func onlyTheEngineSeesTheCompressedBody() async throws {
        let request = HTTPRequest(method: .post, url: WireProbe.root, body: .text(text), options: options)
        let stub = StubClient(.status(204))
        let response = try await stub.perform(request)
        #expect(response.request?.body == .text(text))
        #expect(stub.requests.first?.body == .text(text))
        #expect(stub.requests.first?.headers[.contentEncoding] == nil)

        let sent = try await Exchange.response(to: request, in: Call(clock: stub.clock)) { exchange in
            #expect(exchange.request.headers[.contentEncoding] == "gzip")
            exchange.finish(with: HTTPResponse.Head(status: 204, url: exchange.request.url), body: Data())
        }
        #expect(sent.request?.body == .text(text))
        #expect(sent.request?.headers[.contentEncoding] == nil)
    }
}
