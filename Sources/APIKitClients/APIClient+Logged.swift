public import APIKitCore
import APIKitSupport

#if canImport(os)
public import os
#endif

extension APIClient {
    /// Returns a client that logs every attempt, once it is over, with secrets masked.
    ///
    /// ```swift
    /// let client = URLSession.api.logged { print($0) }
    /// // GET https://api.github.com/users?since=46: 200, 281 bytes, 35 ms
    /// ```
    ///
    /// What counts as one attempt is described at ``observed(_:)``. Secrets are recognized by their names, such as
    /// `Authorization`, `api_key` and `password`, in headers, queries, forms and JSON; a body in another form should
    /// not be logged.
    ///
    /// - Parameters:
    ///   - headers: Whether the headers of the request and the response follow the line.
    ///   - bodies: Whether the first 1,000 bytes of text of each body in memory do.
    ///   - log: Called with one text for each attempt, on any thread.
    /// - Returns: The client.
    public func logged(
        headers: Bool = false, bodies: Bool = false, to log: @escaping @Sendable (String) -> Void
    ) -> some APIClient {
        observed { log($0.text(headers: headers, bodies: bodies)) }
    }

    #if canImport(os)
    /// Returns a client that logs every attempt to the system's log: those without a complete response as errors, all
    /// others at the debug level.
    ///
    /// - Parameters:
    ///   - headers: Whether the headers of the request and the response follow the line.
    ///   - bodies: Whether the first 1,000 bytes of text of each body in memory do.
    ///   - logger: The logger. The texts are public, since their secrets are masked.
    /// - Returns: The client.
    public func logged(headers: Bool = false, bodies: Bool = false, to logger: Logger) -> some APIClient {
        observed { event in
            // The text stays within the call of the logger, which creates it only if the level is logged.
            if event.hasFailed {
                logger.error("\(event.text(headers: headers, bodies: bodies), privacy: .public)")
            } else {
                logger.debug("\(event.text(headers: headers, bodies: bodies), privacy: .public)")
            }
        }
    }
    #endif
}

extension RequestEvent {
    #if canImport(os)
    /// Whether the attempt failed before a complete response arrived. A cancelled attempt has not failed.
    fileprivate var hasFailed: Bool {
        switch result {
        case .failure(let error):
            return !(error is CancellationError || error is Call.Cancellation)
        case .success:
            guard let streamError else { return false }
            return !(streamError is CancellationError)
        }
    }
    #endif

    /// The text to log: the attempt on one line, and the headers and the beginnings of the bodies, if they are wanted,
    /// on the lines after it. Secrets are masked.
    fileprivate func text(headers: Bool, bodies: Bool) -> String {
        let secrets = request.credentialValues
        var lines = [description]
        if headers { lines += request.headers.map(request.maskedLine) }
        if bodies { lines.append(Self.excerpt(of: request.body?.data, hiding: secrets)) }
        if let response = try? result.get() {
            if headers { lines.append("→ \(response.head.status)\n\(response.head.headers)") }
            if bodies { lines.append(Self.excerpt(of: response.body.data, hiding: secrets)) }
        }
        lines.removeAll(where: \.isEmpty)
        return Masking.masked(lines.joined(separator: "\n"), hiding: secrets)
    }

    /// The first bytes of a body; empty if it is not in memory.
    private static func excerpt(of data: Data?, hiding secrets: [String]) -> String {
        guard let data else { return "" }
        return Masking.excerpt(of: data, limit: 1000, onOneLine: false, hiding: secrets)
    }
}
