import APIKitCore
import Foundation

/// Serves the connections of a loopback listener on one thread until one of them brings the redirect.
///
/// Browsers also open connections on which they send nothing, and any program on the machine can connect. So there are
/// at most 16 connections, of which the oldest is closed for a new one; each has 10 seconds and 16 KiB.
struct LoopbackLoop {
    private static let maximumConnections = 16
    private static let headLimit = 16 << 10

    private struct Connection {
        let socket: LoopbackSocket
        let deadline: ContinuousClock.Instant
        var head = Data()
        /// Whether the response was sent. What still arrives is discarded, since closing a socket with unread bytes
        /// could destroy a response on its way.
        var isAnswered = false
    }

    private let listener: LoopbackSocket
    private let request: LoopbackRequest
    private let wakePipe: WakePipe
    private let deadline: ContinuousClock.Instant
    private let connectionTimeout: Duration

    /// Creates a loop that owns the listening socket.
    init(
        _ listener: LoopbackSocket, request: LoopbackRequest, wakePipe: WakePipe, deadline: ContinuousClock.Instant,
        connectionTimeout: Duration = .seconds(10)
    ) {
        self.listener = listener
        self.request = request
        self.wakePipe = wakePipe
        self.deadline = deadline
        self.connectionTimeout = connectionTimeout
    }

    /// Runs until the redirect arrives, the deadline passes, or the pipe is written to. Then all sockets are closed.
    func run() -> Result<URL, any Error> {
        var connections: [Connection] = []
        defer {
            listener.close()
            for connection in connections { connection.socket.close() }
        }
        while true {
            let ready = wait(for: connections)
            if ready.contains(wakePipe.reader) { return .failure(CancellationError()) }
            let now = ContinuousClock.now
            guard now < deadline else {
                return .failure(OAuthError(.timedOut, "the sign-in in the browser was not completed in time"))
            }
            var remaining: [Connection] = []
            var redirect: URL?
            for var connection in connections {
                var isOpen = now < connection.deadline
                if isOpen, ready.contains(connection.socket.descriptor) {
                    isOpen = read(&connection) { redirect = redirect ?? $0 }
                }
                if isOpen { remaining.append(connection) } else { connection.socket.close() }
            }
            connections = remaining
            if let redirect { return .success(redirect) }
            if ready.contains(listener.descriptor) { accept(into: &connections, at: now) }
        }
    }

    /// Waits until a descriptor is ready or the next deadline passes, and returns the ready ones.
    private func wait(for connections: [Connection]) -> Set<Int32> {
        let descriptors = [wakePipe.reader, listener.descriptor] + connections.map(\.socket.descriptor)
        var events = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let nextDeadline = connections.map(\.deadline).reduce(deadline, min)
        let milliseconds = (ContinuousClock.now.duration(to: nextDeadline) / .milliseconds(1)).rounded(.up)
        // A deadline that is far away is awaited in steps.
        let count = poll(&events, nfds_t(events.count), Int32(min(max(milliseconds, 0), 60_000)))
        // An interrupt is not a failure, and nothing is ready then.
        guard count > 0 else { return [] }
        return Set(events.filter { $0.revents != 0 }.map(\.fd))
    }

    /// Accepts a connection, and closes the oldest one if there are too many.
    private func accept(into connections: inout [Connection], at now: ContinuousClock.Instant) {
        guard let socket = listener.accept() else {
            // If the process has too many open files, nothing reports that one has been closed.
            Thread.sleep(forTimeInterval: 0.01)
            return
        }
        if connections.count == Self.maximumConnections { connections.removeFirst().socket.close() }
        connections.append(Connection(socket: socket, deadline: now + connectionTimeout))
    }

    // MARK: - Connections

    /// Reads from a connection, and responds to a complete head.
    ///
    /// - Returns: Whether the connection stays open.
    private func read(_ connection: inout Connection, onRedirect: (URL) -> Void) -> Bool {
        let bytes: Data
        switch connection.socket.read(atMost: 4096) {
        case .none: return true
        case .end: return false
        case .bytes(let received): bytes = received
        }
        if connection.isAnswered { return true }
        connection.head.append(bytes)
        // The end of the head may have begun with earlier bytes.
        let searched = connection.head.suffix(bytes.count + 3)
        if connection.head.count > Self.headLimit {
            connection.socket.sendLast(LoopbackPage.tooLarge.response)
            connection.isAnswered = true
        } else if let end = searched.firstRange(of: Data("\r\n\r\n".utf8)) {
            let verdict = request.verdict(on: connection.head[..<end.lowerBound])
            connection.socket.sendLast(LoopbackPage(verdict).response)
            if case .redirect(let url) = verdict { onRedirect(url) }
            connection.isAnswered = true
        }
        return true
    }
}

/// The pages that the browser shows. They never repeat anything of the request.
struct LoopbackPage {
    private let status: String
    private let text: String

    private init(status: String, text: String) {
        self.status = status
        self.text = text
    }

    init(_ verdict: LoopbackRequest.Verdict) {
        switch verdict {
        case .redirect: self.init(status: "200 OK", text: "You can close this window and return to the program.")
        case .notFound: self.init(status: "404 Not Found", text: "There is nothing here.")
        case .refused: self.init(status: "400 Bad Request", text: "This is not a response to the current sign-in.")
        }
    }

    static let tooLarge = LoopbackPage(
        status: "431 Request Header Fields Too Large", text: "The request is too large.")

    /// The complete response.
    var response: Data {
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Sign-in</title></head>\
            <body><p>\(text)</p></body></html>

            """
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(page.utf8.count)",
            "Connection: close", "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff",
        ]
        return Data((head.map { $0 + "\r\n" }.joined() + "\r\n" + page).utf8)
    }
}
