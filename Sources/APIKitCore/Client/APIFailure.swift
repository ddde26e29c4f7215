/// A failure of any endpoint, without its type parameter: `catch let error as any APIFailure`.
public protocol APIFailure: Error, Sendable {
    /// The status of the response, nil if there was none.
    var status: Int? { get }
    /// The response, nil if there was none.
    var response: HTTPResponse? { get }
    /// Why the request could not be built, nil if it could.
    var requestError: RequestError? { get }
    /// Why no complete response arrived; nil if one did, or if nothing was sent. Its ``TransportError/underlying`` is
    /// what a client failed with, such as the failure of a token refresh.
    var transportError: TransportError? { get }
    /// Whether the caller's own task was cancelled.
    var isCancellation: Bool { get }
}

extension APIFailure {
    /// Why no complete response arrived; nil if one did, or if nothing was sent.
    public var transportCode: TransportError.Code? { transportError?.code }
}
