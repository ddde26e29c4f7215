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
    private static func kind(of coding: String) -> acurl_coding? {
        switch coding {
        case "gzip", "deflate": acurl_zlib
        case "br": acurl_brotli
        case "zstd": acurl_zstd
        default: nil
        }
    }

    /// The codings that this system decodes.
    static let codings: Set<String> = {
        var codings: Set<String> = []
        for coding in ["gzip", "deflate", "br", "zstd"] {
            if let kind = kind(of: coding), acurl_decodes(kind) { codings.insert(coding) }
        }
        return codings
    }()
    /// The value of `Accept-Encoding`. It omits deflate, since some servers send that without the zlib header.
    static let acceptEncoding: String = {
        let wanted = ["gzip", "br", "zstd"].filter(codings.contains)
        return wanted.isEmpty ? "identity" : wanted.joined(separator: ", ")
    }()

    /// Creates a decoder. Returns nil for a coding that this system does not decode.
    init?(_ coding: String) {
        guard let kind = Self.kind(of: coding), let decoder = acurl_decoder_create(kind) else { return nil }
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

    /// Decodes one step: reads at most 16 KiB of the bytes that ``add(_:)`` has got, and removes them from `input`.
    ///
    /// - Parameter output: The memory for the decoded bytes.
    /// - Returns: The number of decoded bytes, which may be 0 before the end of the body.
    /// - Throws: `TransportError` if the body is malformed.
    func decode(into output: UnsafeMutableBufferPointer<UInt8>) throws(TransportError) -> Int {
        guard let outputStart = output.baseAddress else { return 0 }
        let offeredCount = min(input.count, Self.inputSize)
        // The function changes these two: the first to the number of bytes that it has not read, the second to the
        // number of bytes that it has decoded.
        var unreadCount = offeredCount
        var decodedCount = output.count
        state = input.withUnsafeBytes { (input: UnsafeRawBufferPointer) in
            let inputStart = input.bindMemory(to: UInt8.self).baseAddress
            return acurl_decode(decoder, inputStart, &unreadCount, outputStart, &decodedCount)
        }
        let readCount = offeredCount - unreadCount
        // This happens if bytes follow the end of the encoded body, for example.
        let isStuck = !input.isEmpty && readCount == 0 && decodedCount == 0
        if state == acurl_malformed || isStuck {
            throw TransportError(.badResponse, "the body is not what its Content-Encoding says")
        }
        removeInput(readCount)
        // If the output is full, the library may hold more decoded bytes.
        isDrained = input.isEmpty && decodedCount < output.count
        return decodedCount
    }

    /// Removes bytes from the start of `input`, and releases its memory with the last ones.
    private func removeInput(_ count: Int) {
        if count == input.count {
            input = Data()
        } else {
            input.removeFirst(count)
        }
    }
}
#endif
