/// What comes back from an endpoint, and how it is read. The mapping is tested by calling it, with no network:
///
/// ```swift
/// let users = try UsersRequest.Response.process(data: fixture)
/// ```
///
/// A model in JSON conforms to ``JSONAPIResponse`` and writes nothing more. A type of another format writes
/// ``process(data:)``; one that needs the status or the headers writes ``process(response:)``. Mapping never runs on
/// the main actor.
public protocol APIResponse: Sendable {
    /// What a caller gets; the type itself unless it says otherwise.
    associatedtype Model: Sendable = Self

    /// How the body is wanted; as data unless the type says otherwise.
    static var delivery: ResponseBody.Delivery { get }
    /// The types that go into the `Accept` header (RFC 9110, section 12.5.1); none sends no such header.
    static var acceptedTypes: [MIMEType] { get }
    /// Whether an answer is a success; a status of 200 to 299 is, unless the type says otherwise.
    static func isSuccess(_ head: HTTPResponse.Head) -> Bool
    /// Reads the model from the bytes of a body.
    static func process(data: Data) throws -> Model
    /// Reads the model from a response whose status was accepted; calls ``process(data:)`` unless the type says
    /// otherwise.
    static func process(response: HTTPResponse) async throws -> Model
}

// MARK: - Default implementations

extension APIResponse {
    /// As data.
    public static var delivery: ResponseBody.Delivery { .data }
    /// None.
    public static var acceptedTypes: [MIMEType] { [] }

    /// Whether the status is 200 to 299.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        200..<300 ~= head.status
    }

    /// Reads the model from the body's bytes; of a body that was not delivered as data, 64 MiB at the most.
    public static func process(response: HTTPResponse) async throws -> Model {
        try process(data: try await response.body.wholeData)
    }
}
