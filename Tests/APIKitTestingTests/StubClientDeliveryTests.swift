import APIKitTesting
import Foundation
import TestSupport
import Testing

@testable import APIKitCore

@Suite(.timeLimit(.minutes(10))) struct StubClientDeliveryTests {
    private let abc = Data("abc".utf8)
    private let url = URL(string: "https://api.example.com/things")!

    private static let answers: [StubClient.Answer<Never>] = [
        .status(200, body: Data("abc".utf8)), .stream("a", "bc"), .stream([Data("ab".utf8), Data(), Data("c".utf8)]),
        .response(
            HTTPResponse(
                head: .init(status: 200, url: URL(string: "https://a.example")!), body: .init(Data("abc".utf8)))),
    ]

    private func stub(_ answer: StubClient.Answer<Never>) -> StubClient {
        StubClient().answering(.get, "/things", with: answer).answering(.post, "/things", with: answer)
    }

    // MARK: - Delivery

    @Test(arguments: answers) func deliversStreamThatIsReadOnce(answer: StubClient.Answer<Never>) async throws {
        let body = try await stub(answer).perform(HTTPRequest(url: url, delivery: .stream)).body
        #expect(body.data == nil)
        #expect(body.file == nil)
        #expect(try await body.bytes.data(upTo: 3) == abc)
        await #expect(throws: TransportError.self) { try await body.bytes.data(upTo: 3) }
    }

    @Test(arguments: answers) func deliversFileThatIsRemoved(answer: StubClient.Answer<Never>) async throws {
        func contents() async throws -> (Data, URL) {
            let response = try await stub(answer).perform(HTTPRequest(url: url, delivery: .file))
            #expect(response.body.data == nil)
            let file = try #require(response.body.file)
            return (try Data(contentsOf: file), file)
        }
        let (data, file) = try await contents()
        #expect(data == abc)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: [ResponseBody.Delivery.data, .stream, .file])
    func trailersFollowTheBody(delivery: ResponseBody.Delivery) async throws {
        var response = HTTPResponse.status(200)
        response.body = ResponseBody(abc, trailers: ["X-Sum": "1"])
        let body = try await stub(.response(response)).perform(HTTPRequest(url: url, delivery: delivery)).body
        #expect(try await body.bytes.data(upTo: 3) == abc)
        #expect(body.trailers == ["X-Sum": "1"])
    }

    @Test(arguments: [ResponseBody.Delivery.data, .stream, .file])
    func rejectedStatusIsData(delivery: ResponseBody.Delivery) async throws {
        for answer in [StubClient.Answer<Never>.status(404, body: abc), .stream("a", "bc", status: 404)] {
            let response = try await stub(answer).perform(HTTPRequest(url: url, delivery: delivery))
            #expect(response.body.data == abc)
            #expect(response.head.status == 404)
        }
    }

    @Test func brokenStreamFails() async throws {
        let stub = stub(.stream("ab", failingWith: TransportError(.connectionLost)))
        #expect(try await stub.failure(of: Endpoint<Data, Data>()).transportCode == .connectionLost)
        #expect(try await stub.failure(of: Endpoint<DownloadedFile, Data>()).transportCode == .connectionLost)
        let read = Recorder<Data>()
        await #expect(throws: APIError<Data>.self) {
            for try await piece in try await stub.send(Endpoint<ByteStream, Data>()) { read.append(piece) }
        }
        #expect(read.values == [Data("ab".utf8)])
    }

    // MARK: - Limits

    @Test(arguments: answers) func limitsSizeOfData(answer: StubClient.Answer<Never>) async throws {
        func body(_ limit: Int?, _ delivery: ResponseBody.Delivery = .data) async throws -> Data {
            let options = RequestOptions(sizeLimit: limit)
            let request = HTTPRequest(method: .get, url: url, options: options, delivery: delivery)
            return try await stub(answer).perform(request).body.bytes.data(upTo: .max)
        }
        for limit in [0, 2, -1] {
            let error = await #expect(throws: TransportError.self) { try await body(limit) }
            #expect(error?.code == .bodyTooLarge)
            #expect(error?.url == url)
        }
        for limit in [3, nil] { #expect(try await body(limit) == abc) }
        for delivery in [ResponseBody.Delivery.file, .stream] { #expect(try await body(2, delivery) == abc) }
    }

    @Test func typedAnswerHasNoSize() async throws {
        let stub = StubClient().answering(Endpoint<Data, Data>.self, with: .model(abc))
        #expect(try await stub.send(Endpoint<Data, Data>(options: RequestOptions(sizeLimit: 1))) == abc)
    }

    // MARK: - Progress

    private func reports(
        of answer: StubClient.Answer<Never>, body: RequestBody? = nil, delivery: ResponseBody.Delivery = .data
    ) async throws -> [TransferProgress] {
        let reports = Recorder<TransferProgress>()
        let method: HTTPMethod = body == nil ? .get : .post
        let stub = stub(answer)
        let call = Call(clock: stub.clock, progress: .anywhere { reports.append($0) })
        let request = HTTPRequest(method: method, url: url, body: body, delivery: delivery)
        let response = try await stub.perform(request, in: call)
        if delivery == .stream { _ = try await response.body.bytes.data(upTo: .max) }
        return reports.values
    }

    @Test(arguments: [ResponseBody.Delivery.data, .stream, .file])
    func reportsPiecesReceived(delivery: ResponseBody.Delivery) async throws {
        let pieces = StubClient.Answer<Never>.stream("a", "bc")
        #expect(try await reports(of: pieces, delivery: delivery).map(\.bytesReceived) == [0, 0, 1, 3, 3])
        let announced = try await reports(of: .stream("a", "bc", headers: [.contentLength: "3"]), delivery: delivery)
        #expect(announced.map(\.fractionReceived) == [nil, 0, 1 / 3, 1, 1])
        let whole = try await reports(of: .status(200, body: abc), delivery: delivery)
        #expect(whole.last == TransferProgress(totalBytesToSend: 0, bytesReceived: 3, totalBytesToReceive: 3))
    }

    @Test func reportsPiecesSent() async throws {
        let size = 600_000
        let sent = try await reports(of: .status(204), body: .data(Data(count: size), contentType: nil))
        #expect(sent.map(\.bytesSent).prefix(4) == [0, 262_144, 524_288, size])
        #expect(sent.allSatisfy { $0.totalBytesToSend == size })
        let stream = RequestBody.stream(length: nil, contentType: nil) { ByteStream([Data([1]), Data([2, 3])]) }
        let streamed = try await reports(of: .status(204), body: stream)
        #expect(streamed.map(\.bytesSent).prefix(3) == [0, 1, 3])
        #expect(streamed.allSatisfy { $0.totalBytesToSend == nil })
    }

    @Test func reportsSendingForModel() async throws {
        let reports = Recorder<TransferProgress>()
        let stub = StubClient().answering(AccountsRequest.self, with: .model([]))
        _ = try await stub.send(AccountsRequest(), progress: .anywhere { reports.append($0) })
        #expect(reports.values.first == TransferProgress(totalBytesToSend: 0))
    }

    @Test func streamIsReadForProgressAlone() async throws {
        let opened = Recorder<Bool>()
        let body = RequestBody.stream(length: 5, contentType: nil) {
            opened.append(true)
            return ByteStream([Data("abc".utf8)])
        }
        _ = try await stub(.status(204)).perform(HTTPRequest(method: .post, url: url, body: body))
        #expect(opened.values.isEmpty)
        let error = await #expect(throws: TransportError.self) { try await reports(of: .status(204), body: body) }
        #expect(error?.code == .requestBodyFailed)
    }
}
