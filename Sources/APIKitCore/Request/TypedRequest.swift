/// A request that names the type of its response; conform to ``APIRequest``, which refines it.
///
/// It exists for the compiler's sake: with `Response` declared apart from the other associated types, the error for
/// `typealias Response = [Item]` says that `Item` does not conform to ``JSONAPIResponse``.
public protocol TypedRequest<Response>: Sendable {
    /// What comes back, and how it is read.
    associatedtype Response: APIResponse
}
