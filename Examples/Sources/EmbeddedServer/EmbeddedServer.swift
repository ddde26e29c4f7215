import FlyingFox
import FlyingSocks
public import Foundation

/// A small HTTP server inside the program, so that an example needs neither the internet nor a second process.
public enum EmbeddedServer {
    /// Runs the body while a server imitates the API, and stops the server afterwards.
    ///
    /// The server listens on a port of 127.0.0.1. It stops when the body returns, throws or is cancelled. Every
    /// call starts a server of its own, which shares no state with others.
    ///
    /// ```swift
    /// try await EmbeddedServer.run(.gitHub) { url in
    ///     print("Listening on \(url)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - api: The API to imitate.
    ///   - port: The port; by default, one that is free.
    ///   - body: What to do while the server runs; it gets the server's address, such as `http://127.0.0.1:49152`.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or the socket's error if the server cannot listen.
    public static func run<Value: Sendable>(
        _ api: EmbeddedAPI,
        port: UInt16 = 0,
        _ body: (URL) async throws -> Value
    ) async throws -> Value {
        let server = try HTTPServer(
            address: .inet(ip4: "127.0.0.1", port: port),
            timeout: 600,  // of a handler, which may read a large body slowly
            logger: .disabled,
            handler: api.makeHandler()
        )
        return try await withThrowingTaskGroup { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            group.addTask { try await server.waitUntilListening() }
            // The first result: the server listens, or the error why it cannot.
            let first = await group.nextResult()
            try Task.checkCancellation()
            try first?.get()
            guard case .ip4(_, let port) = await server.listeningAddress,
                let url = URL(string: "http://127.0.0.1:\(port)")
            else { throw SocketError.disconnected }
            return try await body(url)
        }
    }
}
