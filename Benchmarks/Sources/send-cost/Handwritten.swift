import APIKit
import BenchmarkSupport

/// What one would write without this package.
enum Handwritten {
    private static let decoder = JSONDecoder()

    static func items(
        base: String, count: Int, load: (URLRequest) async throws -> (Data, Int)
    ) async throws -> [Item] {
        try decoder.decode([Item].self, from: try await data(base: base, count: count, load: load))
    }

    static func data(
        base: String, count: Int, load: (URLRequest) async throws -> (Data, Int)
    ) async throws -> Data {
        guard let url = URL(string: "\(base)/items?count=\(count)") else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, status) = try await load(request)
        guard 200..<300 ~= status else { throw URLError(.badServerResponse) }
        return data
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
