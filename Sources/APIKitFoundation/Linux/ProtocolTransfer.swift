#if os(Linux)
import APIKitCore
import Dispatch
import Foundation
import FoundationNetworking

/// Carries the request of an exchange over a `URLProtocol` of the session, such as a mock, and reports to the exchange
/// what that reports.
///
/// `@unchecked Sendable`: `loaded` is locked, and its other variables are used only on its queue.
final class ProtocolTransfer: NSObject, @unchecked Sendable {
    private let exchange: Exchange
    private let queue = DispatchQueue(label: "APIKit.URLProtocol")
    /// The protocol while it loads.
    private var loading: URLProtocol?
    /// Checks the timeout while it loads.
    private var timer: Task<Void, Never>?

    /// What the protocol has loaded so far, on any thread.
    private struct Loaded {
        var hasResponse = false
        var count = 0
        /// How many bytes the response announces, nil if it does not say.
        var announcedCount: Int?
    }

    private let loaded = Locked(Loaded())

    private init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Gives the request to the first of a session's classes that takes it, as `URLSession` does.
    ///
    /// - Returns: Whether one does.
    /// - Throws: What reading the request's body throws.
    static func start(_ exchange: Exchange, over classes: [AnyClass]?) async throws -> Bool {
        guard let own = classes?.filter({ !builtIn.contains(ObjectIdentifier($0)) }), !own.isEmpty else { return false }
        var request = URLRequest(exchange.request)
        let types = own.lazy.compactMap { $0 as? URLProtocol.Type }
        guard let type = types.first(where: { $0.canInit(with: request) }) else { return false }
        if let body = exchange.request.body, body.data == nil {
            request.httpBody = try await wholeBody(body, of: exchange)
        }
        ProtocolTransfer(of: exchange).start(type, request)
        return true
    }

    /// Reads a body: as with any session on Linux, all of it is in memory.
    private static func wholeBody(_ body: RequestBody, of exchange: Exchange) async throws -> Data {
        try await exchange.withTimeout("the request body produced no data") {
            try await body.bytes.reduce(into: Data()) { data, piece in
                exchange.restartTimeout()
                data += piece
            }
        }
    }

    /// Foundation's own classes, which would send the request over a network.
    private static let builtIn = Set((URLSessionConfiguration.default.protocolClasses ?? []).map(ObjectIdentifier.init))

    private func start(_ type: URLProtocol.Type, _ request: URLRequest) {
        guard exchange.begin(stop: { self.queue.async { self.stop() } }) else { return }
        exchange.sent(total: request.httpBody?.count ?? 0)
        queue.async { [self] in
            guard !exchange.isOver else { return }
            timer = Task { [exchange] in await Self.limit(exchange) }
            let loading = type.init(request: request, cachedResponse: nil, client: self)
            self.loading = loading
            loading.startLoading()
        }
    }

    /// Checks the timeout of an exchange whenever it may have run out.
    private static func limit(_ exchange: Exchange) async {
        while !exchange.isOver {
            let left = exchange.checkTimeout()
            if left <= .zero { return }
            try? await exchange.call.clock.wait(for: left)
        }
    }

    /// Every end of the exchange leads here.
    private func stop() {
        timer?.cancel()
        loading?.stopLoading()
        timer = nil
        loading = nil
    }
}

extension ProtocolTransfer: URLProtocolClient {
    func urlProtocol(
        _ loading: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        let announcedCount = announcedCount(response)
        loaded.withLock { loaded in
            if loaded.hasResponse { return }
            loaded.hasResponse = response is HTTPURLResponse
            loaded.announcedCount = announcedCount
        }
        exchange.receive(response)
    }

    /// The announced length of the response's body; nil if there is none, or if the body is coded, since a mock loads
    /// the decoded bytes.
    private func announcedCount(_ response: URLResponse) -> Int? {
        guard let response = response as? HTTPURLResponse else { return nil }
        let head = HTTPResponse.Head(response, url: exchange.request.url)
        guard head.contentCodings.isEmpty else { return nil }
        return try? head.bodyLength(for: exchange.request.method)
    }

    func urlProtocol(_ loading: URLProtocol, didLoad data: Data) {
        let hasResponse = loaded.withLock { loaded in
            loaded.count.addClamping(data.count)
            return loaded.hasResponse
        }
        if hasResponse {
            exchange.receive(data)
        } else {
            end(TransportError(.badResponse, "the URLProtocol loads data before its response"))
        }
    }

    /// A body that ends early is an error, as over a network.
    func urlProtocolDidFinishLoading(_ loading: URLProtocol) {
        let loaded = loaded.withLock { $0 }
        if let announcedCount = loaded.announcedCount, loaded.count < announcedCount {
            let message = "the URLProtocol finishes after \(loaded.count) of \(announcedCount) bytes (Content-Length)"
            end(TransportError(.connectionLost, message))
        } else {
            end(nil)
        }
    }

    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) {
        end(error)
    }

    /// The redirect is the response; `send` follows it.
    func urlProtocol(_ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        exchange.receive(redirectResponse)
        end(nil)
    }

    func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
        exchange.receive(response.response)
        exchange.receive(response.data)
        end(nil)
    }

    func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        end(URLError(.userAuthenticationRequired))
    }

    func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}

    private func end(_ error: (any Error)?) {
        if let error = error as? TransportError {
            exchange.fail(error)
        } else {
            exchange.end(error)
        }
        queue.async { self.stop() }
    }
}
#endif
