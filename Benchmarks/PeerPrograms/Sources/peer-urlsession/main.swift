// `URLSession` without a library.
import Foundation
import PeerSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Item: Codable, Sendable {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
    let isNew: Bool
}

struct ByHand: Peer {
    private let server: URL
    private let session: URLSession
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init(server: URL) {
        self.server = server
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration)
    }

    func items(count: Int) async throws -> [Item] {
        var components = URLComponents(url: server.appendingPathComponent("items"), resolvingAgainstBaseURL: false)
        components?.queryItems = [URLQueryItem(name: "count", value: String(count))]
        guard let url = components?.url else { throw URLError(.badURL) }
        return try await send(URLRequest(url: url))
    }

    func create(_ items: [Item]) async throws -> [Item] {
        var request = URLRequest(url: server.appendingPathComponent("create"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try encoder.encode(items)
        return try await send(request)
    }

    private func send(_ request: URLRequest) async throws -> [Item] {
        var request = request
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse, 200..<300 ~= response.statusCode else {
            throw URLError(.badServerResponse)
        }
        return try decoder.decode([Item].self, from: data)
    }
}

try await ByHand.measure()
