/// The result of a lookup, whose 404 becomes nil instead of a failure: `typealias Response = Found<User>`.
public enum Found<Wrapped: APIResponse>: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// The wrapped type's value.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// The wrapped type's value.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// Whether the wrapped type accepts the response, or its status is 404 (RFC 9110, section 15.5.5).
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        head.status == 404 || Wrapped.isSuccess(head)
    }

    /// Reads the wrapped type.
    public static func process(data: Data) throws -> Wrapped.Model? {
        try Wrapped.process(data: data)
    }

    /// Returns nil for a 404, and otherwise reads the wrapped type.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        response.head.status == 404 ? nil : try await Wrapped.process(response: response)
    }
}
