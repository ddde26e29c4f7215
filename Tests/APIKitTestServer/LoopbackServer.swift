public import Foundation

/// An HTTP/1.1 server inside the test's process, on a port of 127.0.0.1, that can misbehave on purpose.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.path == "/users/46" ? .json(#"{"id": 46}"#) : .status(404)
/// }
/// // … a client talks to server.url …
/// #expect(server.requests[0].values(of: "Accept") == ["application/json"])
/// ```
///
/// Every connection has a thread of its own, so an answer may block. The server stops when its last reference is
/// released; an `answer` that captures the server itself keeps it alive until ``stop()``.
public final class LoopbackServer: Sendable {
    /// Where the server listens: `http://127.0.0.1:PORT`, without a trailing slash.
    public let url: URL
    /// The port it listens on.
    public var port: Int { listener.port }
    private let core: ServerCore
    private let listener: Listener

    /// Starts a server, which listens when this returns.
    ///
    /// - Parameters:
    ///   - port: The port to listen on; 0 stands for a free one.
    ///   - folder: The folder for the requests' bodies, each in a file of its own that is written while the body
    ///     arrives; nil keeps bodies in memory. The server never deletes the files, not even those of incomplete
    ///     bodies.
    ///   - early: Returns the bytes to send once the head of a request has arrived and before its body is read, instead
    ///     of a 100 if the client expects one, or nil.
    ///   - answer: Returns what to do after a complete request; called on the connection's thread.
    /// - Throws: `POSIXError` if no socket can be created, or if the port is in use.
    public init(
        port: Int = 0,
        savingBodiesIn folder: URL? = nil,
        answeringEarly early: @escaping @Sendable (ReceivedRequest) -> Data? = { _ in nil },
        _ answer: @escaping @Sendable (ReceivedRequest) -> ServerAnswer
    ) throws {
        let bodies: ServerCore.Bodies = if let folder { .files(in: folder) } else { .memory }
        core = ServerCore(bodies, answeringEarly: early, answer)
        listener = try Self.listen(on: port, for: core)
        url = Self.url(of: listener)
    }

    /// Starts a server that does not keep bodies: a function receives the pieces of each as they arrive, and so has
    /// those of a body that never becomes complete.
    ///
    /// - Parameters:
    ///   - receiver: Returns the function for the body of a request; both are called on the connection's thread.
    ///   - answer: Returns what to do after a complete request; called on the connection's thread.
    /// - Throws: `POSIXError` if no socket can be created.
    package init(
        passingBodiesTo receiver: @escaping @Sendable (ReceivedRequest) -> (Data) -> Void,
        _ answer: @escaping @Sendable (ReceivedRequest) -> ServerAnswer
    ) throws {
        core = ServerCore(.receivers(receiver), answeringEarly: { _ in nil }, answer)
        listener = try Self.listen(on: 0, for: core)
        url = Self.url(of: listener)
    }

    private static func listen(on port: Int, for core: ServerCore) throws -> Listener {
        let listener = try Listener(port: port)
        Thread.detachNewThread { listener.acceptConnections(core.serve) }
        return listener
    }

    private static func url(of listener: Listener) -> URL {
        URL(string: "http://127.0.0.1:\(listener.port)")!  // a literal and a number: always a URL
    }

    deinit { stop() }

    /// The requests that have arrived completely, bodies included, in the order of their arrival.
    public var requests: [ReceivedRequest] { core.requests }

    /// Returns when at least `count` requests have arrived, the server stops or the task is cancelled.
    public func waitForRequests(_ count: Int) async { await core.wait { $0.requests.count >= count || $0.isStopped } }

    /// Returns when the steps of at least `count` answers have been performed, the server stops or the task is
    /// cancelled.
    ///
    /// What they have sent can be read by the client then.
    package func waitForAnswers(_ count: Int) async { await core.wait { $0.answerCount >= count || $0.isStopped } }

    /// The number of open connections: accepted, and not yet closed by both sides.
    public var openConnections: Int { core.openConnections }

    /// Returns when no connection is open, because the clients have closed them or the server stops, or when the task
    /// is cancelled.
    ///
    /// A connection whose answer waits for a ``Gate`` counts as open.
    public func waitUntilIdle() async { await core.wait { $0.connections.isEmpty } }

    /// Closes the port and all connections and resumes everything that waits; later calls do nothing.
    ///
    /// The port is closed when this returns, and the connections when ``waitUntilIdle()`` returns.
    public func stop() { if core.stop() { listener.stop() } }

    /// Reserves a port of 127.0.0.1 on which nothing listens, until the process ends.
    ///
    /// - Throws: `POSIXError` if no socket can be created.
    public static func unusedPort() throws -> Int {
        // If it were closed, another test's server could get its port.
        try Socket.bound().port
    }
}
