#if os(Linux)
import APIKitCore
import APIKitSupport
import Dispatch
import Foundation
import FoundationNetworking

/// Carries the request of an exchange over a `URLProtocol` of the session, such as a mock. Reports the events of the
/// protocol to the exchange.
///
/// `@unchecked Sendable`: `loaded` is locked, and the other variables are used only on `queue`.
final class ProtocolTransfer: NSObject, @unchecked Sendable {
    private let exchange: Exchange
    private let queue = DispatchQueue(label: "APIKit.URLProtocol")
    /// The protocol that loads the response; nil before and afterwards.
    private var loading: URLProtocol?
    /// Checks the timeout while the protocol loads the response.
    private var timer: Task<Void, Never>?

    /// What the protocol has loaded so far. A protocol may report this on any thread.
    private struct Loaded {
        var hasResponse = false
        /// The number of bytes of the body.
        var count = 0
        /// The number of bytes that the response announces, nil if it announces none.
        var announcedCount: Int?
    }

    private let loaded = Locked(Loaded())

    private init(of exchange: Exchange) {
        self.exchange = exchange
    }

    /// Lets the first of a session's protocol classes that accepts the request load it, as `URLSession` does.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - classes: The `protocolClasses` of the session.
    /// - Returns: Whether a class accepts the request.
    /// - Throws: The error of reading the request's body.
    static func start(_ exchange: Exchange, over classes: [AnyClass]?) async throws -> Bool {
        let customClasses = (classes ?? []).filter { !builtIn.contains(ObjectIdentifier($0)) }
        // Most sessions have none, and need no `URLRequest`.
        if customClasses.isEmpty { return false }
        var request = URLRequest(exchange.request)
        let types = customClasses.compactMap { $0 as? URLProtocol.Type }
        guard let type = types.first(where: { $0.canInit(with: request) }) else { return false }
        // A `URLRequest` has no body yet if the body is not in memory.
        if let body = exchange.request.body, body.data == nil {
            request.httpBody = try await wholeBody(body, of: exchange)
        }
        ProtocolTransfer(of: exchange).start(type, request)
        return true
    }

    /// Reads a body into memory, since a `URLProtocol` gets the body as data.
    private static func wholeBody(_ body: RequestBody, of exchange: Exchange) async throws -> Data {
        try await exchange.withTimeout("the request body produced no data") {
            var data = Data()
            for try await piece in body.bytes {
                exchange.restartTimeout()
                data += piece
            }
            return data
        }
    }

    /// Foundation's own classes. They are not used, since they would send the request over the network.
    private static let builtIn = (URLSessionConfiguration.default.protocolClasses ?? []).map(ObjectIdentifier.init)

    /// Creates a protocol on the queue and starts it, unless the exchange has ended.
    private func start(_ type: URLProtocol.Type, _ request: URLRequest) {
        guard exchange.begin(stop: { self.queue.async { self.stop() } }) else { return }
        exchange.sent(total: request.httpBody?.count ?? 0)
        queue.async { [self] in
            guard !exchange.isOver else { return }
            // Unstructured, since nothing awaits it: `stop()` cancels it.
            timer = Task { [exchange] in await exchange.enforceTimeout() }
            let loading = type.init(request: request, cachedResponse: nil, client: self)
            self.loading = loading
            loading.startLoading()
        }
    }

    /// Stops the protocol and the timer. Called however the exchange ends.
    private func stop() {
        timer?.cancel()
        loading?.stopLoading()
        timer = nil
        loading = nil
    }
}

extension ProtocolTransfer: URLProtocolClient {
    /// Reports the head of the response, and notes the length that it announces. Only the first one counts.
    func urlProtocol(
        _ loading: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        let announced = announcedCount(response)
        loaded.withLock { loaded in
            if loaded.hasResponse { return }
            loaded.hasResponse = response is HTTPURLResponse
            loaded.announcedCount = announced
        }
        exchange.receive(response)
    }

    /// Returns the announced length of the response's body. Returns nil if none is announced, or if the body has a
    /// content coding: it announces the encoded length, but a mock loads the decoded bytes.
    private func announcedCount(_ response: URLResponse) -> Int? {
        guard let response = response as? HTTPURLResponse else { return nil }
        let head = HTTPResponse.Head(response, url: exchange.request.url)
        guard head.contentCodings.isEmpty else { return nil }
        // The exchange itself fails on an invalid length when it receives the head.
        return try? head.bodyLength(for: exchange.request.method)
    }

    /// Reports bytes of the body. Without a response before them, the exchange fails.
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

    /// Ends the exchange. A body with fewer bytes than announced is an error, as it is over a network.
    func urlProtocolDidFinishLoading(_ loading: URLProtocol) {
        let (count, announcedCount) = loaded.withLock { ($0.count, $0.announcedCount) }
        if let announcedCount, count < announcedCount {
            let message = "the URLProtocol finishes after \(count) of \(announcedCount) bytes (Content-Length)"
            end(TransportError(.connectionLost, message))
        } else {
            end(nil)
        }
    }

    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) {
        end(error)
    }

    /// Reports the redirect as the response. APIKit decides itself whether to follow it.
    func urlProtocol(_ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        exchange.receive(redirectResponse)
        end(nil)
    }

    /// Reports a response that the protocol has found in a cache.
    func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
        exchange.finish(with: response.response, body: response.data)
        queue.async { self.stop() }
    }

    func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
        end(URLError(.userAuthenticationRequired))
    }

    func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {}

    /// Ends the exchange, successfully if there is no error, and stops the protocol.
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
