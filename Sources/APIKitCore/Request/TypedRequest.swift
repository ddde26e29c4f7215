/// A request with the type of its response; conform to ``APIRequest``, which refines it.
///
/// It improves compiler errors: since the associated types are declared here and constrained there, an error names the
/// type that does not conform to ``APIResponse`` or, within a list, to ``JSONResponse``.
public protocol TypedRequest<Response>: Sendable {
    /// The type of the response, which reads it.
    associatedtype Response
    /// The type of the body of a rejected response; by default `Data`.
    associatedtype Failure = Data
}
