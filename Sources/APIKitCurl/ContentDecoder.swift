#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// Decodes the body of a response step by step (RFC 9110, section 8.4.1), and knows whether it is complete, which
/// libcurl's own decoders do not.
final class ContentDecoder {
    /// The most bytes that one step decodes to.
    static let stepSize = 64 << 10
    /// The most bytes that one step takes: a body may have any number of members that are empty.
    private static let inputSize = 16 << 10

    private let decoder: OpaquePointer
    /// Received bytes that are not decoded yet.
    private(set) var input = Data()
    private var hasStarted = false
    private var state = acurl_incomplete
    /// Whether everything that was added is decoded.
    private(set) var isDrained = true

    /// The library for each coding.
    private static let decoders = [
        "gzip": acurl_zlib, "deflate": acurl_zlib, "br": acurl_brotli, "zstd": acurl_zstd,
    ]
    /// The codings that this system decodes.
    static let codings = Set(decoders.filter { acurl_decodes($0.value) }.keys)
    /// The value of `Accept-Encoding`. It omits deflate, which some servers send without the zlib header.
    static let acceptEncoding: String = {
        let wanted = ["gzip", "br", "zstd"].filter(codings.contains)
        return wanted.isEmpty ? "identity" : wanted.joined(separator: ", ")
    }()

    /// Nil for a coding that this system does not decode.
    init?(_ coding: String) {
        guard let kind = Self.decoders[coding], let decoder = acurl_decoder_create(kind) else { return nil }
        self.decoder = decoder
    }

    deinit {
        acurl_decoder_destroy(decoder)
    }

    /// Whether the end of the encoded body has arrived; an empty body is complete.
    var isComplete: Bool { !hasStarted || state == acurl_complete }

    /// Adds bytes.
    func add(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        input.append(contentsOf: bytes)
        hasStarted = true
        isDrained = false
    }

    /// Decodes one step, of at most 16 KiB.
    ///
    /// - Parameter output: Where the decoded bytes go.
    /// - Returns: How many there are.
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
        // What fills the buffer may not be all.
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
