import APIKitClients
package import APIKitCore
import APIKitSupport
import Foundation

/// The tasks of a test run on one actor, so that they arrive in the order in which they were started.
@globalActor package actor OneAtATime {
    package static let shared = OneAtATime()

    /// Waits until each task that was started on it before has run up to where it first suspends.
    package static func settle() async { await Task { @OneAtATime in }.value }
}

/// Holds every request until it is opened, and counts them.
package final class GatedClient: APIClient {
    package var clock: any Clock<Duration> { ContinuousClock() }
    private let total = Counter()
    private let arrived = AsyncStream<Void>.makeStream()
    /// Nil once it is open.
    private let waiting = Locked<[CheckedContinuation<Void, Never>]?>([])
    private let answer: @Sendable () throws -> HTTPResponse

    package init(_ answer: @escaping @Sendable () throws -> HTTPResponse) { self.answer = answer }

    package convenience init(_ response: HTTPResponse) { self.init { response } }

    package var count: Int { total.value }

    /// Waits until at least so many requests have arrived.
    package func arrivals(_ count: Int) async {
        var iterator = arrived.stream.makeAsyncIterator()
        while total.value < count { _ = await iterator.next() }
    }

    package func open() { for continuation in waiting.withLock({ $0.take() }) ?? [] { continuation.resume() } }

    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        total.next()
        arrived.continuation.yield()
        await withCheckedContinuation { continuation in
            let isOpen = waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if isOpen { continuation.resume() }
        }
        return try answer()
    }
}
