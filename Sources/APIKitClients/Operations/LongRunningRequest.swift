public import APIKitCore
import APIKitSupport

/// An endpoint that starts an operation, or asks for its state: the server responds before the operation is done.
///
/// ``APIClient/result(of:options:within:pauses:onPending:)`` sends it and asks for the state until there is a result.
/// The request that starts an operation names the one that asks for its state, its ``Poll``:
///
/// ```swift
/// struct RenderRequest: ShopRequest, LongRunningRequest {
///     let film: String
///     typealias Response = Render
///     var path: URLPath { "renders" }
///     var method: HTTPMethod { .post }
///     var parameters: Parameters { ["film": film] }
///     func status(of reply: APIReply<Render>) -> OperationStatus<RenderStatusRequest> {
///         .pending(RenderStatusRequest(id: reply.model.id))
///     }
/// }
/// ```
///
/// ```swift
/// struct RenderStatusRequest: ShopRequest, LongRunningRequest {
///     let id: String
///     typealias Response = Render
///     var path: URLPath { "renders/\(id)" }
///     func status(of reply: APIReply<Render>) throws -> OperationStatus<Self> {
///         switch reply.model.status {
///         case .succeeded: return .done(reply.model)
///         case .failed: throw ShopError(reason: "the film cannot be rendered")
///         case .queued, .running: return .pending(self)
///         }
///     }
/// }
/// ```
///
/// If the server names a URL for the state, the poll is a ``LinkedRequest`` whose link is
/// ``APIReply/operationLink``, so that it is sent only to the origin of the base URL. Throw a failure if that is nil,
/// since a poll without a link would be sent to its own path. If the server answers the same request with 202 until it
/// has the result, the response type is ``NilIfAccepted``, and the endpoint is its own poll.
public protocol LongRunningRequest: APIRequest {
    /// The endpoint that asks for the state; by default this one.
    associatedtype Poll: LongRunningRequest = Self where Poll.Poll == Poll
    /// The result of the operation, which only its poll needs to name; by default the model of the response.
    associatedtype Output: Sendable = Response.Model

    /// Returns whether the operation is done, and its result.
    ///
    /// - Throws: An error if the operation has failed. A value of the endpoint's failure type becomes
    ///   ``APIError/rejected(_:_:)``, any other error ``APIError/unreadable(_:_:)``.
    func status(of reply: APIReply<Response.Model>) throws -> OperationStatus<Poll>
}

/// The state of an operation, as a reply says.
public enum OperationStatus<Poll: LongRunningRequest>: Sendable {
    /// The operation is not done.
    ///
    /// - Parameters:
    ///   - poll: The request that asks for the state next. It identifies the operation, so a program that stores it can
    ///     ask for the result later.
    ///   - after: The pause before that, for an API that names it in the body; nil for the pause that the response's
    ///     `Retry-After` asks for, or else that of the call.
    case pending(Poll, after: Duration? = nil)
    /// The operation has succeeded, with a result.
    case done(Poll.Output)
}

extension APIReply {
    /// Where the server says that the state of an operation can be requested: the `Operation-Location`, the
    /// `Azure-AsyncOperation` or else the `Location`, resolved against the response's URL; nil if there is none. If it
    /// is not a valid URL, the result is an `about:invalid` URL, with which a ``LinkedRequest`` throws a
    /// ``RequestError`` with the code `link`.
    public var operationLink: URL? {
        let headers = head.headers
        let text = headers["Operation-Location"] ?? headers["Azure-AsyncOperation"] ?? headers[.location]
        guard let text else { return nil }
        return URIReference(head.url.absoluteString).target(of: text) ?? .invalid(link: text)
    }
}
