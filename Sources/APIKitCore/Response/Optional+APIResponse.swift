extension Optional: APIResponse where Wrapped: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// The wrapped type's value.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// The wrapped type's value.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// Whether the wrapped type accepts the response.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Wrapped.isSuccess(head)
    }

    /// Returns nil for an empty body, but not for a JSON `null`.
    public static func process(data: Data) throws -> Wrapped.Model? {
        data.isEmpty ? nil : try Wrapped.process(data: data)
    }

    /// Returns nil for an empty body, such as that of a 204.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        if response.head.status == 204 || response.body.data?.isEmpty == true { return nil }
        return try await Wrapped.process(response: response)
    }
}
