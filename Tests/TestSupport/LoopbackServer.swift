public import Foundation

/// An HTTP/1.1 server inside the test's process, on 127.0.0.1 and a free port.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/users/46" ? .json(#"{"id": 46}"#) : .status(404)
/// }
/// // … a client talks to server.url …
/// #expect(server.requests[0].values(of: "Accept") == ["application/json"])
/// ```
///
/// Every connection has a thread of its own, so an answer may block. The server stops when its last reference goes
/// away; an `answer` that holds the server itself keeps it alive for good.
public final class LoopbackServer: Sendable {
    /// Where the server listens: `http://127.0.0.1:PORT`, without a trailing slash.
    public let url: URL
    /// The port it listens on.
    public let port: Int
    private let core: ServerCore
    private let listener: Listener

    /// Starts a server, which listens when this returns.
    ///
    /// - Parameters:
    ///   - folder: Where to put the requests' bodies, each into a file of its own, while they arrive; in memory without
    ///     it. The server never deletes the files, nor what had come of a body that broke off.
    ///   - early: What to send once the head of a request is there, and before its body is read.
    ///   - answer: Says what to do after a request; called on the connection's thread.
    /// - Throws: `POSIXError` if the system grants no socket.
    public init(
        savingBodiesIn folder: URL? = nil,
        answeringEarly early: @escaping @Sendable (ReceivedRequest) -> Data? = { _ in nil },
        _ answer: @escaping @Sendable (ReceivedRequest) -> ServerAnswer
    ) throws {
        let core = ServerCore(savingBodiesIn: folder, answeringEarly: early, answer)
        let listener = try Listener()
        Thread.detachNewThread {
            listener.acceptConnections(core.serve)
        }
        self.core = core
        self.listener = listener
        port = listener.port
        url = URL(string: "http://127.0.0.1:\(listener.port)")!  // A literal and a number: always a URL.
    }

    deinit {
        stop()
    }

    /// The requests that have arrived whole, body included, in the order of their arrival.
    public var requests: [ReceivedRequest] {
        core.requests
    }

    /// Returns when at least `count` requests have arrived, the server stops or the task is cancelled.
    public func waitForRequests(_ count: Int) async {
        await core.wait { $0.requests.count >= count || $0.isStopped }
    }

    /// How many connections are open: accepted, and not closed by both sides.
    public var openConnections: Int {
        core.openConnections
    }

    /// Returns when no connection is open, because the clients have closed or the server stops, or when the task
    /// is cancelled.
    ///
    /// A connection whose answer still waits for a gate counts as open.
    public func waitUntilIdle() async {
        await core.wait { $0.connections.isEmpty }
    }

    /// Closes the port and all connections and wakes everything that waits; does nothing the second time.
    ///
    /// The port is closed when this returns; the connections are when ``waitUntilIdle()`` does.
    public func stop() {
        if core.stop() { listener.stop() }
    }

    /// A port of 127.0.0.1 on which nothing listens, and nothing will: it is taken until the process ends.
    ///
    /// - Throws: `POSIXError` if the system grants no socket.
    public static func unusedPort() throws -> Int {
        // Let go of, it would soon be another test's server's.
        try Socket.bound().port
    }
}
