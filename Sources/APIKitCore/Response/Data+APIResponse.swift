extension Data: APIResponse {
    /// Returns the body unchanged.
    public static func process(data: Data) throws -> Data {
        data
    }
}
