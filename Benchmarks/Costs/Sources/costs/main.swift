// Does one thing a number of times, for Scripts/costs to count the instructions of.
// Usage: costs ROW COUNT [PORT]
//        costs server       prints the port of a server for the row `engine`, which runs until its input ends
import APIKit
import APIKitTestServer
import APIKitTesting
import Dispatch
import Foundation

let base = APIBase("https://api.example.com/v1")

struct Item: JSONResponse {
    let id: Int
    let name: String
    let tags: [String]
    let score: Double
    let isActive: Bool
}

struct LiteralRequest: APIRequest {
    typealias Response = Data
    var since: Int
    var base: APIBase { "https://api.example.com/v1" }
    var path: URLPath { "items" }
    var parameters: Parameters { ["since": since] }
}

struct ItemsRequest: APIRequest {
    typealias Response = Data
    var since: Int
    var base: APIBase { costs.base }
    var path: URLPath { "items" }
    var parameters: Parameters { ["since": since] }
}

/// Responds at once, without looking at the request.
struct Immediate: APIClient {
    private let response: HTTPResponse
    var clock: any Clock<Duration> { ContinuousClock() }

    init(body: Data) {
        // A literal: always a URL.
        let url = URL(string: "https://api.example.com/v1/items")!
        let head = HTTPResponse.Head(status: 200, headers: [.contentType: "application/json"], url: url)
        response = HTTPResponse(head: head, body: ResponseBody(body))
    }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse { response }
}

let item = #"{"id":1,"name":"Table of oak","tags":["wood","big"],"score":3.25,"isActive":true}"#
let list = "[\(item),\(item),\(item)]"

/// Sends the requests of a row.
@Sendable func send(_ count: Int, over client: any APIClient) async throws {
    for index in 0..<count { _ = try await client.send(ItemsRequest(since: index)) }
}

/// Ten clients around one that responds at once.
func layered() -> any APIClient {
    Immediate(body: Data(list.utf8))
        .based(at: "https://elsewhere.example", insteadOf: "https://elsewhere.example")
        .observed { _ in }
        .authorized(by: .bearer("token"), for: base)
        .limited(concurrent: 200)
        .retrying()
        .tracked(by: RequestTracker())
        .adding(headers: [.userAgent: "Costs"])
        .cached(in: ResponseCache(bytes: 1 << 20))
        .coalesced()
        .intercepted { request, _, next in try await next(request) }
}

/// Requests to the server, after one that opens the connection.
@Sendable func perform(_ count: Int, port: String) async throws {
    let client = CurlClient()
    let request = HTTPRequest(url: URL(string: "http://127.0.0.1:\(port)/")!)  // a number: always a URL
    for _ in 0...count { _ = try await client.perform(request, in: Call(clock: client.clock)) }
}

/// Does what a row is about.
@Sendable func run(_ row: String, _ count: Int, port: String) async throws {
    switch row {
    case "request": for index in 0..<count { _ = try LiteralRequest(since: index).httpRequest() }
    case "stub": try await send(count, over: Immediate(body: Data(list.utf8)))
    case "json-stub": try await send(count, over: StubClient().answering(ItemsRequest.self, with: .json(list)))
    case "ten-clients": try await send(count, over: layered())
    case "engine": try await perform(count, port: port)
    case "decode":
        // 30 KB.
        let data = Data("[\(Array(repeating: item, count: 365).joined(separator: ","))]".utf8)
        for _ in 0..<count { _ = try [Item].process(data: data) }
    default: fatalError("there is no row \(row)")
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else {
    let server = try LoopbackServer { _ in .json(list) }
    FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
    while readLine() != nil {}
    exit(0)
}

// Not an asynchronous program: callgrind does not survive the end of one.
let done = DispatchSemaphore(value: 0)
Task.detached {
    do {
        try await run(arguments[1], Int(arguments[2]) ?? 0, port: arguments.count > 3 ? arguments[3] : "")
    } catch { fatalError("\(error)") }
    done.signal()
}
done.wait()
