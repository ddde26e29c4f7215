/// Everything in which Foundation's `URLSession` differs between Apple's platforms and Linux, in the files
/// `Platform….swift`.
enum Platform {
    typealias Completion = @Sendable (Data?, URLResponse?, (any Error)?) -> Void

    /// A timeout in seconds: a multiple of the shortest one.
    static func timeoutInterval(_ timeout: Duration) -> TimeInterval {
        let seconds = Double(timeout.components.seconds) + Double(timeout.components.attoseconds) / 1e18
        return min(max((seconds / shortestTimeout).rounded(.up), 1) * shortestTimeout, 1e9)
    }
}

#if canImport(FoundationNetworking)
extension Platform {
    /// A copy without a cache: on Linux, a session with a cache ends the process when a task is cancelled soon after
    /// its start.
    static func copy(of configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let copy = configuration.copy() as? URLSessionConfiguration ?? configuration
        copy.urlCache = nil
        return copy
    }

    /// A queue that passes operations straight to Dispatch: on Linux, an operation costs as much as a request.
    static func makeDelegateQueue() -> OperationQueue? {
        DispatchingQueue()
    }

    /// Applies back-pressure once 64 callbacks are pending. Otherwise the chunks of a large body would pile up in
    /// memory if the disk is slower than the network.
    ///
    /// `@unchecked Sendable`: its superclass is, and all it adds is two constants, a dispatch queue and a semaphore,
    /// which any thread may use at any time.
    private final class DispatchingQueue: OperationQueue, @unchecked Sendable {
        private static let isOnQueue = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "APIKit.URLSession")
        private let places = DispatchSemaphore(value: 64)  // of 16 KB at the most

        override init() {
            super.init()
            queue.setSpecific(key: Self.isOnQueue, value: true)
        }

        override func addOperation(_ block: @escaping @Sendable () -> Void) {
            // A callback that schedules another one would wait for itself.
            if DispatchQueue.getSpecific(key: Self.isOnQueue) == true { return queue.async(execute: block) }
            // Not longer, since a delegate for challenges may wait for the session itself.
            let hasPlace = places.wait(timeout: .now() + 1) == .success
            queue.async { [places] in
                block()
                if hasPlace { places.signal() }
            }
        }
    }

    /// Runs calls that wait for a session, which may be waiting for the current callback. One after another, since all
    /// sessions of a process share a queue: however many wait for it, they occupy one thread.
    static let waitingCalls = DispatchQueue(label: "APIKit.URLSession.waitingCalls")

    /// Cancels a task without waiting for the session.
    static func cancel(_ task: URLSessionTask) {
        waitingCalls.async { task.cancel() }
    }

    /// - Throws: `TransportError` for requests that `URLSession` on Linux fails to send without an error.
    static func checkSupport(for request: HTTPRequest) throws {
        if request.url.host?.contains(":") == true {
            let message = "URLSession on Linux cannot connect to an IPv6 address: use a host name"
            throw TransportError(.unsupported, message, request: request)
        }
    }

    /// Refuses a redirect, so that the 3xx is the response. Answering a session whose task has been cancelled ends the
    /// process, so a cancel waits for this or prevents it.
    static func refuseRedirect(of exchange: Exchange?, _ answer: (URLRequest?) -> Void) {
        guard let exchange else { return answer(nil) }
        exchange.unlessOver { answer(nil) }
    }

    /// The content codings that a session decodes; nil, since libcurl fails for any other.
    static let decodedCodings: Set<String>? = nil

    /// Files are not compressed, since a compressed body that ends early would be taken for complete.
    static let acceptEncodingForFiles: String? = "identity"

    /// The shortest timeout in seconds: `URLSession` on Linux rounds others.
    fileprivate static let shortestTimeout = 1.0
}
#else
extension Platform {
    /// A copy that is the same.
    static func copy(of configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? configuration
    }

    /// Uses the default queue.
    static func makeDelegateQueue() -> OperationQueue? {
        nil
    }

    /// Cancels a task.
    static func cancel(_ task: URLSessionTask) {
        task.cancel()
    }

    /// Refuses a redirect, so that the 3xx is the response.
    static func refuseRedirect(of exchange: Exchange?, _ answer: (URLRequest?) -> Void) {
        answer(nil)
    }

    /// No restrictions on Apple's platforms.
    static func checkSupport(for request: HTTPRequest) throws {}

    /// The content codings that a session decodes; it delivers any other body as it came.
    static let decodedCodings: Set<String>? = ["gzip", "deflate", "br"]

    /// Files may be compressed.
    static let acceptEncodingForFiles: String? = nil

    /// The shortest timeout in seconds.
    fileprivate static let shortestTimeout = 0.001
}
#endif
