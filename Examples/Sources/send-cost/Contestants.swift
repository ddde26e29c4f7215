import APIKitFoundation

struct Item: JSONAPIResponse {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
    let isNew: Bool

    /// A list of some items as JSON, 94 bytes each.
    static func list(_ count: Int) -> Data {
        let items = (0..<count).map { index in
            #"{"id":\#(index),"name":"Item number \#(index)","price":12.5,"tags":["first","second"],"isNew":true}"#
        }
        return Data("[\(items.joined(separator: ","))]".utf8)
    }
}

struct ItemsRequest: APIRequest {
    typealias Response = [Item]
    var baseURL: URL
    var count: Int
    var path: URLPath { "items" }
    var parameters: Parameters { ["count": count] }
}

/// An engine that has its answer already.
struct ImmediateClient: APIClient {
    let body: Data

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(body))
    }

    func answer(_ request: URLRequest) -> (Data, Int) {
        (body, 200)
    }
}

/// What one would write without a library.
enum Handwritten {
    private static let decoder = JSONDecoder()

    static func items(
        base: String, count: Int, load: (URLRequest) async throws -> (Data, Int)
    ) async throws -> [Item] {
        guard let url = URL(string: "\(base)/items?count=\(count)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, status) = try await load(request)
        guard 200..<300 ~= status else { throw URLError(.badServerResponse) }
        return try decoder.decode([Item].self, from: data)
    }
}

extension URLSession {
    /// `dataTask` in a continuation, since `data(for:)` can hang the process on Linux when it is cancelled.
    func loadByHand(_ request: URLRequest) async throws -> (Data, Int) {
        try await withCheckedThrowingContinuation { continuation in
            let task = dataTask(with: request) { data, response, error in
                guard let data, let response = response as? HTTPURLResponse else {
                    return continuation.resume(throwing: error ?? URLError(.unknown))
                }
                continuation.resume(returning: (data, response.statusCode))
            }
            task.resume()
        }
    }
}
