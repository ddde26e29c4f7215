extension Data: APIResponse {
    /// Gives the body as it is.
    public static func process(data: Data) throws -> Data {
        data
    }
}
