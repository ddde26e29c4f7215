#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Decodes the body of a response step by step (RFC 9110, section 8.4.1), and knows whether it is complete, which
/// libcurl's own decoders do not.
final class ContentDecoder {
    private let decoder: OpaquePointer
    private var input = Data()
    private var hasStarted = false
    private var state = acurl_incomplete
    /// Whether everything that was added is decoded.
    private(set) var isDrained = true

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

    /// Adds bytes, once all earlier ones are decoded.
    func add(_ bytes: UnsafeRawBufferPointer) {
        input = Data(bytes)
        hasStarted = hasStarted || !bytes.isEmpty
        isDrained = bytes.isEmpty
    }

    /// Decodes one step, of at most 64 KiB.
    ///
    /// - Throws: `TransportError` if the body is malformed.
    func next() throws(TransportError) -> Data {
        var (inputCount, count) = (input.count, 64 << 10)
        var output = Data(count: count)
        state = output.withUnsafeMutableBytes { (output: UnsafeMutableRawBufferPointer) in
            input.withUnsafeBytes { (input: UnsafeRawBufferPointer) in
                let bytes = input.bindMemory(to: UInt8.self).baseAddress
                guard let room = output.bindMemory(to: UInt8.self).baseAddress else { return acurl_malformed }
                return acurl_decode(decoder, bytes, &inputCount, room, &count)
            }
        }
        let isStuck = count == 0 && inputCount == input.count
        guard state != acurl_malformed, !isStuck || input.isEmpty else {
            throw TransportError(.badResponse, "the body is not what its Content-Encoding says")
        }
        input.removeFirst(input.count - inputCount)
        isDrained = count == 0 && input.isEmpty
        output.count = count
        return output
    }
}
#endif
