/// A request with the type of its response; conform to ``APIRequest``, which refines it.
///
/// It improves a compiler error: since `Response` is declared apart from the other associated types, the error for
/// `typealias Response = [Item]` says that `Item` does not conform to ``JSONAPIResponse``.
public protocol TypedRequest<Response>: Sendable {
    /// The type of the response, which reads it.
    associatedtype Response: APIResponse
}
