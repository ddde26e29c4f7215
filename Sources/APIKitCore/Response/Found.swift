/// For looking something up that may not be there: a 404 is nil, not a failure. `typealias Response = Found<User>`.
public enum Found<Wrapped: APIResponse>: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// As the wrapped type says.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// As the wrapped type says.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// What the wrapped type accepts, and 404 (RFC 9110, section 15.5.5).
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        head.status == 404 || Wrapped.isSuccess(head)
    }

    /// Reads what was found.
    public static func process(data: Data) throws -> Wrapped.Model? {
        try Wrapped.process(data: data)
    }

    /// Nil for a 404; otherwise reads what was found.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        response.head.status == 404 ? nil : try await Wrapped.process(response: response)
    }
}
