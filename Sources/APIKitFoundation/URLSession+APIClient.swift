public import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

#if canImport(FoundationNetworking)
extension URLSession: APIEngine {
    /// Sends the request of an exchange over this session, for data alone.
    ///
    /// Use ``Foundation/URLSession/api`` on Linux if you can. A session of your own, such as `URLSession.shared`, fails
    /// with ``TransportError/Code/unsupported`` for what Foundation on Linux does not do safely: a stream or
    /// a file, a body, a request that must not be sent twice, a URL with an IPv6 address, and a body that the server
    /// has compressed unasked. *What URLSession does on Linux* lists what else to know.
    ///
    /// - Throws: ``TransportError`` for what it does not do.
    public func transmit(_ exchange: Exchange) throws {
        if let feature = Self.unsupportedFeature(of: exchange.request) {
            let message = "this URLSession cannot \(feature): on Linux, use URLSession.api"
            throw TransportError(.unsupported, message, request: exchange.request)
        }
        Transfer(of: exchange).start(on: self)
    }

    private static func unsupportedFeature(of request: HTTPRequest) -> String? {
        if request.delivery != .data { return "deliver streams or files" }
        if request.body != nil { return "send a body safely" }
        if !request.isRepeatable { return "ensure that a \(request.method) is sent once" }
        return request.url.host?.contains(":") == true ? "connect to an IPv6 address" : nil
    }
}
#else
extension URLSession: APIEngine {
    /// Adds the `httpAdditionalHeaders` of a session that `api(configuration:pins:proxy:delegate:)` has created.
    public func prepare(_ request: inout HTTPRequest) {
        guard let apiDelegate = delegate as? APISessionDelegate else { return }
        request.headers.addMissing(from: apiDelegate.headers)
    }

    /// Sends the request of an exchange over this session.
    ///
    /// ``Foundation/URLSession/api`` and sessions created by `api(configuration:pins:proxy:delegate:)` deliver data,
    /// streams and files. Any other session, such as `URLSession.shared`, delivers data only, through a delegate of its
    /// task: streams and files are `unsupported`, a body above the size limit is refused once it has arrived, and
    /// progress is reported only at the end.
    ///
    /// If the delegate of `URLSession.api(configuration:pins:proxy:delegate:)` cancels a challenge about trust, the
    /// code is `secureConnectionFailed`; if another session's own delegate does, it is `other`.
    ///
    /// A body that is neither data nor a file, such as a stream or a form with files, is first written to a temporary
    /// file and sent from there, since a `URLSession` sends no length otherwise.
    ///
    /// - Throws: ``TransportError`` for what a session that the caller created cannot do, or if the temporary file
    ///   cannot be written; `CancellationError`.
    public func transmit(_ exchange: Exchange) async throws {
        let apiDelegate = delegate as? APISessionDelegate
        if apiDelegate == nil { try checkSupport(for: exchange.request) }
        let upload = try await UploadBody(of: exchange)
        Transfer(of: exchange).start(on: self, sending: upload, reportingTo: apiDelegate)
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
