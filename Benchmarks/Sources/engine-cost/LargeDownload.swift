import APIKit
import APIKitCurl
import BenchmarkSupport

/// Downloads a large body with one of the clients; each function returns its size.
struct LargeDownload {
    let url: URL
    let client: Client

    func data() async throws -> Int {
        switch client {
        case .libcurl: return try await libcurl().data(url.absoluteString).count
        case .urlSession:
            return try await withCheckedThrowingContinuation { continuation in
                URLSession.byHand().dataTask(with: url) { data, _, error in
                    continuation.resume(with: data.map { .success($0.count) } ?? .failure(error ?? URLError(.unknown)))
                }
                .resume()
            }
        default: return try await perform(.data).body.data?.count ?? 0
        }
    }

    func stream() async throws -> Int {
        switch client {
        case .libcurl:
            nonisolated(unsafe) var count = 0
            _ = try await libcurl().data(url.absoluteString) { count += $0.count }
            return count
        case .urlSession:
            return try await withCheckedThrowingContinuation { continuation in
                URLSession.byHand(delegate: Counter(continuation)).dataTask(with: url).resume()
            }
        default:
            var count = 0
            for try await piece in try await perform(.stream).body.bytes { count += piece.count }
            return count
        }
    }

    func file() async throws -> Int {
        switch client {
        case .libcurl:
            let file = URL.temporaryDirectory.appending(path: "engine-cost-\(UUID())")
            let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
            _ = try await libcurl().data(url.absoluteString) { _ = write(descriptor, $0.baseAddress, $0.count) }
            close(descriptor)
            return try Self.removeFile(file)
        case .urlSession:
            return try await withCheckedThrowingContinuation { continuation in
                URLSession.byHand().downloadTask(with: url) { file, _, error in
                    continuation.resume(
                        with: Result {
                            guard let file else { throw error ?? URLError(.unknown) }
                            return try Self.removeFile(file)
                        })
                }
                .resume()
            }
        default:
            // The file is removed with the body.
            let body = try await perform(.file).body
            return try body.file?.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
    }

    /// Returns its size.
    private static func removeFile(_ file: URL) throws -> Int {
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        try FileManager.default.removeItem(at: file)
        return size
    }

    private func libcurl() -> CurlByHand {
        CurlByHand(roots: URL(filePath: "/dev/null"))
    }

    private func perform(_ delivery: ResponseBody.Delivery) async throws -> HTTPResponse {
        let options = RequestOptions(sizeLimit: .max)
        return try await CurlClient().perform(HTTPRequest(url: url, options: options, delivery: delivery))
    }
}

/// Counts what a session delivers, one callback at a time.
private final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let continuation: CheckedContinuation<Int, any Error>
    private var count = 0

    init(_ continuation: CheckedContinuation<Int, any Error>) {
        self.continuation = continuation
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        count += data.count
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.resume(with: error.map(Result.failure) ?? .success(count))
    }
}
