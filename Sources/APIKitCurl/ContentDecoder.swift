#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Decodes the content coding of a response's body step by step (RFC 9110, section 8.4.1).
///
/// libcurl's own decoders are not used, since they do not detect a body that ends too early.
final class ContentDecoder {
    /// The most decoded bytes that one step returns.
    static let stepSize = 64 << 10
    /// The most encoded bytes that one step reads. A limit of the output is not enough, since a gzip body may consist
    /// of any number of empty members.
    private static let inputSize = 16 << 10

    private let decoder: OpaquePointer
    /// Received bytes that are not decoded yet.
    private(set) var input = Data()
    private var hasStarted = false
    private var state = acurl_incomplete
    /// Whether everything that was added is decoded and returned.
    private(set) var isDrained = true

    /// The library for each coding.
    private static let decoders = [
        "gzip": acurl_zlib, "deflate": acurl_zlib, "br": acurl_brotli, "zstd": acurl_zstd,
    ]
    /// The codings that this system decodes.
    static let codings = Set(decoders.filter { acurl_decodes($0.value) }.keys)
    /// The value of `Accept-Encoding`. It omits deflate, since some servers send that without the zlib header.
    static let acceptEncoding: String = {
        let wanted = ["gzip", "br", "zstd"].filter(codings.contains)
        return wanted.isEmpty ? "identity" : wanted.joined(separator: ", ")
    }()

    /// Creates a decoder. Returns nil for a coding that this system does not decode.
    init?(_ coding: String) {
        guard let kind = Self.decoders[coding], let decoder = acurl_decoder_create(kind) else { return nil }
        self.decoder = decoder
    }

    deinit {
        acurl_decoder_destroy(decoder)
    }

    /// Whether the end of the encoded body has arrived; an empty body is complete.
    var isComplete: Bool { !hasStarted || state == acurl_complete }

    /// Adds encoded bytes to decode.
    func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        input.append(contentsOf: bytes)
        hasStarted = true
        isDrained = false
    }

    /// Decodes one step, which reads at most 16 KiB of the added bytes.
    ///
    /// - Parameter output: The memory for the decoded bytes.
    /// - Returns: The number of decoded bytes.
    /// - Throws: `TransportError` if the body is malformed.
    func decode(into output: UnsafeMutableBufferPointer<UInt8>) throws(TransportError) -> Int {
        guard let room = output.baseAddress else { return 0 }
        let offered = min(input.count, Self.inputSize)
        var left = offered
        var count = output.count
        state = input.withUnsafeBytes { (input: UnsafeRawBufferPointer) in
            acurl_decode(decoder, input.bindMemory(to: UInt8.self).baseAddress, &left, room, &count)
        }
        let taken = offered - left
        let isStuck = count == 0 && taken == 0 && !input.isEmpty
        if state == acurl_malformed || isStuck {
            throw TransportError(.badResponse, "the body is not what its Content-Encoding says")
        }
        removeInput(taken)
        // If the output is full, the library may hold more decoded bytes.
        isDrained = input.isEmpty && count < output.count
        return count
    }

    private func removeInput(_ count: Int) {
        if count == input.count {
            input = Data()
        } else {
            input.removeFirst(count)
        }
    }
}
#endif
