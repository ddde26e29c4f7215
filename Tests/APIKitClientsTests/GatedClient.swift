import APIKitCore
import Foundation

@testable import APIKitClients

/// The tasks of a test run on one actor, so that they arrive in the order in which they were started.
@globalActor actor OneAtATime {
    static let shared = OneAtATime()

    /// Waits until each task that was started on it before has run up to where it first suspends.
    static func settle() async { await Task { @OneAtATime in }.value }
}

/// Holds every request until it is opened, and counts them.
final class GatedClient: APIClient {
    var clock: any Clock<Duration> { ContinuousClock() }
    private let total = Counter()
    private let arrived = AsyncStream<Void>.makeStream()
    /// Nil once it is open.
    private let waiting = Locked<[CheckedContinuation<Void, Never>]?>([])
    private let answer: @Sendable () throws -> HTTPResponse

    init(_ answer: @escaping @Sendable () throws -> HTTPResponse) { self.answer = answer }

    convenience init(_ response: HTTPResponse) { self.init { response } }

    var count: Int { total.value }

    /// Waits until at least so many requests have arrived.
    func arrivals(_ count: Int) async {
        var iterator = arrived.stream.makeAsyncIterator()
        while total.value < count { _ = await iterator.next() }
    }

    func open() { for continuation in waiting.withLock({ $0.take() }) ?? [] { continuation.resume() } }

    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
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
