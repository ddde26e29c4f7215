// async-http-client, which neither encodes nor decodes.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import PeerSupport

struct Item: Codable, Sendable {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
    let isNew: Bool
}

struct NIOClient: Peer {
    private let server: String
    private let client: HTTPClient
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init(server: URL) {
        self.server = server.absoluteString
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // It lives as long as the program does: nothing shuts it down.
        client = HTTPClient(configuration: configuration)
    }

    func items(count: Int) async throws -> [Item] {
        try await send(HTTPClientRequest(url: "\(server)/items?count=\(count)"))
    }

    func create(_ items: [Item]) async throws -> [Item] {
        var request = HTTPClientRequest(url: "\(server)/create")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(try encoder.encode(items))
        return try await send(request)
    }

    private func send(_ request: HTTPClientRequest) async throws -> [Item] {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        let response = try await client.execute(request, timeout: .seconds(60))
        guard 200..<300 ~= response.status.code else { throw URLError(.badServerResponse) }
        let body = try await response.body.collect(upTo: 64 << 20)
        return try decoder.decode([Item].self, from: Data(body.readableBytesView))
    }
}

try await NIOClient.measure()
