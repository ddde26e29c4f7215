#if canImport(Darwin)
public import APIKitCore
public import Foundation

extension URLSession: APIEngine {
    /// Adds the `httpAdditionalHeaders` of a session that `api(configuration:pins:proxy:delegate:)` has created.
    public func prepare(_ request: inout HTTPRequest) {
        guard let apiDelegate = delegate as? APISessionDelegate else { return }
        request.headers.addMissing(from: apiDelegate.headers)
    }

    /// Sends the request of an exchange over this session.
    ///
    /// ``Foundation/URLSession/api`` and sessions created by `api(configuration:pins:proxy:delegate:)` deliver data,
    /// streams and files. Any other session, such as `URLSession.shared`, delivers only data: streams and files are
    /// `unsupported`, a body above the size limit is refused only after it has arrived, and progress is reported only
    /// at the end.
    ///
    /// If the delegate of `URLSession.api(configuration:pins:proxy:delegate:)` cancels a challenge about trust, the
    /// error has the code `secureConnectionFailed`. If the delegate of another session does so, the code is `other`.
    ///
    /// A body that is neither data nor a file, such as a stream or a form with files, is first written to a temporary
    /// file and sent from there. Otherwise a `URLSession` would send the body without its length.
    ///
    /// - Throws: ``TransportError`` if the session does not support the request, or if the temporary file cannot be
    ///   written; `CancellationError` if the task is cancelled meanwhile.
    public func transmit(_ exchange: Exchange) async throws {
        let apiDelegate = delegate as? APISessionDelegate
        if apiDelegate == nil { try checkSupport(for: exchange.request) }
        let upload = try await UploadBody(of: exchange)
        Transfer(of: exchange).start(on: self, sending: upload, reportingTo: apiDelegate)
    }

    /// Checks that a session that the caller has created supports a request.
    ///
    /// - Throws: ``TransportError`` with the code `unsupported` if it does not.
    private func checkSupport(for request: HTTPRequest) throws {
        guard request.delivery == .data else {
            let message = """
                on Apple's platforms, a session that the program created delivers only data: \
                send streams and files with URLSession.api(configuration: session.configuration)
                """
            throw TransportError(.unsupported, message, request: request)
        }
        guard configuration.identifier == nil else {
            let message = "background sessions cannot be awaited: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
    }
}

extension Proxy {
    /// The value of a session configuration's `connectionProxyDictionary`: nil for the system's proxy, and empty for
    /// none.
    var dictionary: [AnyHashable: Any]? {
        if self == .system { return nil }
        guard let url, let host = url.host else { return [:] }
        let port = url.port ?? 80
        return [
            "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port,
            "HTTPSEnable": 1, "HTTPSProxy": host, "HTTPSPort": port,
        ]
    }
}
#endif
