#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ByteStream: APIResponse {
    /// As a stream.
    public static var delivery: BodyDelivery { .stream }

    /// Gives bytes that are there already as a stream.
    public static func process(data: Data) throws -> ByteStream {
        ByteStream([data])
    }

    /// Gives the body as it arrives.
    public static func process(response: HTTPResponse) async throws -> ByteStream {
        response.body.bytes
    }
}
