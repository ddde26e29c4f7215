/// The response of an endpoint, and how it is read. The mapping can be tested without a network:
///
/// ```swift
/// let users = try UsersRequest.Response.process(data: fixture)
/// ```
///
/// A model in JSON only conforms to ``JSONResponse``. A type in another format implements ``process(data:)``, or
/// ``process(response:)`` alone if it needs the status or the headers; without either, it fails to read any response.
/// Mapping never runs on the main actor.
public protocol APIResponse: Sendable {
    /// The type that a caller receives; by default, the response type itself.
    associatedtype Model: Sendable = Self

    /// The form in which the body is delivered; by default data.
    static var delivery: ResponseBody.Delivery { get }
    /// The types in the `Accept` header (RFC 9110, section 12.5.1); if empty, there is no such header.
    static var acceptedTypes: [MIMEType] { get }
    /// Whether a response is a success; by default, if its status is 200 to 299.
    static func isSuccess(_ head: HTTPResponse.Head) -> Bool
    /// Reads the model from the bytes of the body; by default, throws a ``ContentError``, for a type that implements
    /// ``process(response:)``.
    static func process(data: Data) throws -> Model
    /// Reads the model from a successful response; by default, with ``process(data:)``.
    static func process(response: HTTPResponse) async throws -> Model
}

// MARK: - Default implementations

extension APIResponse {
    /// As data.
    public static var delivery: ResponseBody.Delivery { .data }
    /// No types.
    public static var acceptedTypes: [MIMEType] { [] }

    /// Whether the status is 200 to 299.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        200..<300 ~= head.status
    }

    /// Throws an error, since the bytes alone are not enough for a type that implements ``process(response:)``.
    ///
    /// - Throws: ``ContentError``, which says what is missing.
    public static func process(data: Data) throws -> Model {
        let problem = "\(Self.self) reads no bytes by themselves: implement process(data:), or call process(response:)"
        throw ContentError(ContentError.Code(rawValue: "notImplemented"), problem)
    }

    /// Reads the model from the bytes of the body, at most 64 MiB if the body is not delivered as data.
    ///
    /// If a ``ResponseCache`` keeps the body, it keeps the model too, and this returns it without reading it again.
    public static func process(response: HTTPResponse) async throws -> Model {
        let keptModels = response.body.keptModels
        // Unwrapped before the cast: if the model is an optional, a missing value could be cast to it, as nil.
        if let kept = keptModels?.model(of: Self.self), let model = kept as? Model { return model }
        let model = try process(data: try await response.body.wholeData)
        keptModels?.keep(model, of: Self.self)
        return model
    }
}
