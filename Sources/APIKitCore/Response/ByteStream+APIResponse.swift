extension ByteStream: APIResponse {
    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }

    /// Returns a stream of bytes in memory.
    public static func process(data: Data) throws -> ByteStream {
        ByteStream([data])
    }

    /// Returns the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> ByteStream {
        response.body.bytes
    }
}
