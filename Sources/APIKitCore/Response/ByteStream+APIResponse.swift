extension ByteStream: APIResponse {
    /// As a stream.
    public static var delivery: ResponseBody.Delivery { .stream }

    /// Gives bytes that are there already as a stream.
    public static func process(data: Data) throws -> ByteStream {
        ByteStream([data])
    }

    /// Gives the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> ByteStream {
        response.body.bytes
    }
}
