extension Optional: APIResponse where Wrapped: APIResponse {
    /// The wrapped type's model, or nil.
    public typealias Model = Wrapped.Model?

    /// As the wrapped type says.
    public static var delivery: ResponseBody.Delivery { Wrapped.delivery }
    /// As the wrapped type says.
    public static var acceptedTypes: [MIMEType] { Wrapped.acceptedTypes }

    /// As the wrapped type says.
    public static func isSuccess(_ head: HTTPResponse.Head) -> Bool {
        Wrapped.isSuccess(head)
    }

    /// An empty body is nil; a JSON `null` is not one.
    public static func process(data: Data) throws -> Wrapped.Model? {
        data.isEmpty ? nil : try Wrapped.process(data: data)
    }

    /// An empty body, such as a 204's, is nil.
    public static func process(response: HTTPResponse) async throws -> Wrapped.Model? {
        if response.head.status == 204 || response.body.data?.isEmpty == true { return nil }
        return try await Wrapped.process(response: response)
    }
}
