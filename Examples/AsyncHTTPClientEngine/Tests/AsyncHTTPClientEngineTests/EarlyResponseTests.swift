import APIKitCore
import APIKitTestServer
import AsyncHTTPClientEngine
import EngineConformance
import Foundation
import Testing

extension AsyncHTTPClientEngineTests {
    /// Responses that are complete before their request is sent.
    @Suite struct EarlyResponses {
        let engine = AsyncHTTPClientEngine(configuration: .test)

        private static let body = RequestBody.stream(length: 20 << 20, contentType: nil) {
            ByteStream((0..<20).map { _ in Data(count: 1 << 20) })
        }

        private func request(_ url: URL, _ method: HTTPMethod = .post, delivery: ResponseBody.Delivery = .data)
            -> HTTPRequest
        {
            let options = RequestOptions(timeout: .seconds(5))
            return HTTPRequest(method: method, url: url, body: Self.body, options: options, delivery: delivery)
        }

        @Test(arguments: [200, 201, 307, 413], RawServer.Ending.allCases)
        func deliversASmallOne(status: Int, ending: RawServer.Ending) async throws {
            let heads = [
                "HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 \(status) X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
            ]
            for head in heads {
                let server = try await RawServer(Data(head.utf8), ending)
                for delivery in [ResponseBody.Delivery.data, .stream] {
                    let response = try await engine.perform(request(server.url, delivery: delivery))
                    #expect(response.head.status == status)
                    #expect(try await response.body.bytes.data(upTo: 2) == Data("ok".utf8))
                }
            }
        }

        @Test(arguments: [200, 413], [ResponseBody.Delivery.data, .stream])
        func deliversALargeOneOfAServerThatHolds(status: Int, delivery: ResponseBody.Delivery) async throws {
            let head = Data("HTTP/1.1 \(status) X\r\nContent-Length: 4000000\r\n\r\n".utf8)
            let server = try await RawServer(head + Data(count: 4_000_000), .holds)
            let response = try await engine.perform(request(server.url, delivery: delivery))
            #expect(try await response.body.bytes.data(upTo: .max).count == 4_000_000)
        }

        @Test(arguments: [200, 413], [RawServer.Ending.closes, .resets])
        func deliversALargeOneWholeOrLosesIt(status: Int, ending: RawServer.Ending) async throws {
            let head = Data("HTTP/1.1 \(status) X\r\nContent-Length: 4000000\r\n\r\n".utf8)
            let server = try await RawServer(head + Data(count: 4_000_000), ending)
            do {
                let response = try await engine.perform(request(server.url))
                #expect(response.body.data?.count == 4_000_000)
            } catch let error as TransportError {
                #expect(error.code == .connectionLost)
            }
        }

        @Test func deliversOneThatEndsWithItsConnection() async throws {
            let server = try await RawServer(Data("HTTP/1.1 200 OK\r\n\r\nok".utf8), .closes)
            do {
                #expect(try await engine.perform(request(server.url)).body.data == Data("ok".utf8))
            } catch let error as TransportError {
                #expect(error.code == .connectionLost)  // if the reset overtakes the end
            }
        }

        @Test func goesOnSendingWhileTheResponseArrives() async throws {
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no".utf8)
            let server = try LoopbackServer(answeringEarly: { _ in head }) { _ in .init(steps: [.send(Data("k".utf8))])
            }
            for _ in 0..<3 {
                let response = try await engine.perform(request(server.url, delivery: .stream))
                #expect(try await response.body.bytes.data(upTo: 2) == Data("ok".utf8))
            }
            #expect(server.requests.map(\.body.count) == [20 << 20, 20 << 20, 20 << 20])
        }

        @Test func dropsTheConnection() async throws {
            let answer = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
            let server = try LoopbackServer(answeringEarly: { $0.method == "POST" ? answer : nil }) { _ in .text("next")
            }
            let endless = RequestBody.stream(length: nil, contentType: nil) {
                ByteStream(AsyncStream<Data> { $0.yield(Data("never ends".utf8)) })
            }
            for _ in 0..<20 {
                let early = HTTPRequest(method: .post, url: server.url, body: endless)
                #expect(try await engine.perform(early).body.data == Data("ok".utf8))
                #expect(try await engine.perform(HTTPRequest(url: server.url)).body.data == Data("next".utf8))
            }
            await server.waitUntilIdle()
            #expect(server.requests.allSatisfy { $0.method == "GET" })
        }
    }
}
