import APIKitCore
import APIKitSupport
import Foundation

/// Receives the redirect of a sign-in at a port of 127.0.0.1 (RFC 8252, section 7.3).
///
/// The port is open from the creation until ``redirect(to:within:)`` returns or ``end()`` is called.
final class LoopbackRedirect: Sendable {
    /// The redirect URI.
    let uri: String
    private let host: AuthorizationPresentation.LoopbackHost
    private let port: UInt16
    private let path: String
    /// The socket, until a thread or ``end()`` takes it.
    private let listener: Locked<LoopbackSocket?>
    private let wakePipe: WakePipe

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - host: The host in the redirect URI.
    ///   - port: The port; 0 for any free one.
    ///   - path: The path of the redirect URI.
    ///   - preferredURI: The redirect URI of an earlier sign-in. If any port will do, its port is used if it is free.
    /// - Throws: ``OAuthError`` with the code `presentationFailed` if the port cannot be opened.
    init(
        host: AuthorizationPresentation.LoopbackHost = .address, port: Int, path: String, preferredURI: String?
    ) throws {
        guard let port = UInt16(exactly: port) else {
            throw OAuthError(.presentationFailed, "\(port) is not a port")
        }
        do throws(POSIXError) {
            wakePipe = try WakePipe()
            let socket = try Self.listen(port, preferred: Self.port(of: preferredURI, host: host, path: path))
            listener = Locked(socket)
            self.port = try socket.port
        } catch {
            throw OAuthError(
                .presentationFailed, "cannot listen on port \(port) of 127.0.0.1 for the redirect", underlying: error)
        }
        self.host = host
        self.path = path
        uri = "http://\(host.rawValue):\(self.port)\(path)"
    }

    deinit { end() }

    private static func listen(_ port: UInt16, preferred: UInt16?) throws(POSIXError) -> LoopbackSocket {
        if port == 0, let preferred, let socket = try? LoopbackSocket.listening(port: preferred) { return socket }
        return try LoopbackSocket.listening(port: port)
    }

    /// The port of a redirect URI of this kind; nil if it is of another kind.
    private static func port(
        of uri: String?, host: AuthorizationPresentation.LoopbackHost, path: String
    ) -> UInt16? {
        guard let uri, let components = URLComponents(string: uri), let port = components.port else { return nil }
        let isSameKind = components.scheme == "http" && components.host == host.rawValue && components.path == path
        return isSameKind ? UInt16(exactly: port) : nil
    }

    // MARK: - Waiting

    /// Waits for the redirect at the end of an authorization request, in one task and only once.
    ///
    /// - Returns: The complete URL of the redirect.
    /// - Throws: `CancellationError` if the task is cancelled or ``end()`` is called; ``OAuthError`` with the code
    ///   `timedOut`. The port is closed in any case.
    func redirect(to authorizationURL: URL, within timeout: Duration) async throws -> URL {
        let taken: LoopbackSocket? = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        guard let socket = taken else { throw CancellationError() }
        let request = LoopbackRequest(host: host, port: port, path: path, state: authorizationURL.states.first)
        let deadline = ContinuousClock.now + timeout.clampedForSleep
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let loop = LoopbackLoop(socket, request: request, wakePipe: wakePipe, deadline: deadline)
                // A thread, since `poll` blocks.
                Thread.detachNewThread { continuation.resume(with: loop.run()) }
            }
        } onCancel: {
            wakePipe.wake()
        }
    }

    /// Closes the port, and ends the wait.
    func end() {
        let unused: LoopbackSocket? = listener.withLock { listener in
            defer { listener = nil }
            return listener
        }
        unused?.close()
        wakePipe.wake()
    }
}
