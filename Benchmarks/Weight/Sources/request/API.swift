import APIKit
import WeightSupport

/// An endpoint, with the library and by hand.
struct API: Sendable {
    private let base: APIBase
    private let address: String
    private let session: URLSession
    private let decoder = JSONDecoder()

    init(port: Int) {
        address = "http://127.0.0.1:\(port)"
        base = APIBase(URL(string: address)!)  // a number: always a URL
        // With neither cache nor cookies, and enough connections.
        let configuration = URLSessionConfiguration.default
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration)
    }

    func items() async throws -> [Item] {
        try await URLSession.api.send(ItemsRequest(base: base, count: 3))
    }

    func itemsByHand() async throws -> [Item] {
        guard let url = URL(string: "\(address)/items?count=3") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        return try decoder.decode([Item].self, from: await data(request))
    }

    private func data(_ request: URLRequest) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                continuation.resume(
                    with: Result {
                        guard let data, 200..<300 ~= status else { throw error ?? URLError(.badServerResponse) }
                        return data
                    })
            }
            .resume()
        }
    }
}

private struct ItemsRequest: APIRequest {
    typealias Response = [Item]
    let base: APIBase
    let count: Int
    var path: URLPath { "items" }
    var parameters: Parameters { ["count": count] }
}
