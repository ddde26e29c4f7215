public import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
extension URLSession: APIClient {
    /// Performs one request over this session, for data alone. Redirects are not followed here; `send` follows them.
    ///
    /// Use ``Foundation/URLSession/api`` on Linux if you can. A session of your own, such as `URLSession.shared`, fails
    /// with ``TransportError/Code/unsupported`` for what Foundation on Linux does not do safely: a stream or
    /// a file, a body, a request that must not be sent twice, a URL with an IPv6 address, and a body that the server
    /// has compressed unasked. *What URLSession does on Linux* lists what else to know.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the
    ///   request cannot be sent, `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await Exchange.response(to: request) { exchange in
            if let feature = Self.unsupportedFeature(of: exchange.request) {
                let message = "a URLSession on Linux cannot \(feature): use URLSession.api"
                throw TransportError(.unsupported, message, request: exchange.request)
            }
            Transfer(of: exchange).start(on: self)
        }
    }

    private static func unsupportedFeature(of request: HTTPRequest) -> String? {
        if request.delivery != .data { return "deliver streams or files" }
        if request.body != nil { return "send a body safely" }
        if !request.isRepeatable { return "ensure that a \(request.method) is sent once" }
        return request.url.host?.contains(":") == true ? "connect to an IPv6 address" : nil
    }
}
#else
extension URLSession: APIClient {
    /// Performs one request over this session. Redirects are not followed here; `send` follows them.
    ///
    /// ``Foundation/URLSession/api`` and sessions made by `api(configuration:pins:proxy:delegate:)` deliver data, streams
    /// and files. Any other session, such as `URLSession.shared`, delivers data only, through a delegate of its task:
    /// streams and files are `unsupported`, a body above the size limit is refused once it has arrived, and progress is
    /// reported only at the end.
    ///
    /// A request that may not be repeated is sent at most once (RFC 9110, section 9.2.2); any other is sent again, once,
    /// if its connection breaks before the response.
    ///
    /// If the delegate of `URLSession.api(configuration:pins:proxy:delegate:)` cancels a challenge about trust, the code
    /// is `secureConnectionFailed`; if another session's own delegate does, it is `other`.
    ///
    /// A body that is neither data nor a file, such as a stream or a form with files, is first written to a temporary
    /// file and sent from there, since a `URLSession` sends no length otherwise.
    ///
    /// - Throws: ``TransportError`` if no complete response arrives, ``RequestError`` if the
    ///   request cannot be sent, `CancellationError` if the task is cancelled.
    public func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let apiDelegate = delegate as? APISessionDelegate
        var upload: UploadBody?
        return try await Exchange.response(to: request, addingDefault: apiDelegate?.headers ?? [:]) { exchange in
            if apiDelegate == nil { try checkSupport(for: exchange.request) }
            if upload == nil, exchange.request.body != nil { upload = try await UploadBody(of: exchange) }
            Transfer(of: exchange).start(on: self, sending: upload, reportingTo: apiDelegate)
        }
    }

    /// - Throws: ``TransportError`` for what a session that the caller created cannot do.
    private func checkSupport(for request: HTTPRequest) throws {
        guard request.delivery == .data else {
            let message = "this session cannot deliver streams or files: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
        guard configuration.identifier == nil else {
            let message = "background sessions cannot be awaited: use URLSession.api"
            throw TransportError(.unsupported, message, request: request)
        }
    }
}
#endif
