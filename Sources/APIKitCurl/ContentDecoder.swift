#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Decodes the body of a response step by step (RFC 9110, section 8.4.1), and knows whether it is complete, which
/// libcurl's own decoders do not.
final class ContentDecoder {
    private let decoder: OpaquePointer
    private var hasStarted = false
    private var state = acurl_incomplete
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    private static let known = [("gzip", acurl_zlib), ("deflate", acurl_zlib), ("br", acurl_brotli)]
    /// The codings that this system decodes.
    static let codings = Set(known.filter { acurl_decodes($0.1) }.map(\.0))
    /// The header that asks for them.
    static let acceptEncoding =
        codings.isEmpty ? "identity" : known.map(\.0).filter(codings.contains).joined(separator: ", ")

    init?(_ coding: String) {
        guard let kind = Self.known.first(where: { $0.0 == coding })?.1, let decoder = acurl_decoder_create(kind)
        else { return nil }
        self.decoder = decoder
    }

    deinit {
        acurl_decoder_destroy(decoder)
    }

    /// Whether the end of the encoded body has arrived; an empty body is complete.
    var isComplete: Bool { !hasStarted || state == acurl_complete }

    /// Decodes one step.
    ///
    /// - Parameter input: What has arrived; the bytes that were taken are removed.
    /// - Returns: Decoded bytes, empty once more input is needed.
    /// - Throws: `TransportError` if the input is malformed.
    func next(_ input: inout Slice<UnsafeRawBufferPointer>) throws(TransportError) -> Data {
        hasStarted = hasStarted || !input.isEmpty
        var (inputCount, count) = (input.count, buffer.count)
        let bytes = UnsafeRawBufferPointer(rebasing: input).assumingMemoryBound(to: UInt8.self)
        state = acurl_decode(decoder, bytes.baseAddress, &inputCount, &buffer, &count)
        input.removeFirst(input.count - inputCount)
        guard state != acurl_malformed else {
            throw TransportError(.badResponse, "the body is not what its Content-Encoding says")
        }
        return Data(buffer[..<count])
    }
}
#endif
