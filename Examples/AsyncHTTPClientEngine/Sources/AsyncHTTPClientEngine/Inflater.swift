import CZlib
import Foundation
import NIOCore

/// Decodes gzip and deflate in small steps, so that a few bytes that expand to gigabytes are never in memory at once.
///
/// A body may consist of several gzip members (RFC 1952, section 2.2). Deflate without a zlib header, as some servers
/// send it, is decoded too.
final class Inflater {
    /// The bytes are not in the coding that the response names.
    struct Malformed: Error {}

    /// The content codings that are decoded, each by itself (RFC 9110, section 8.4.1).
    static let codings: Set<String> = ["gzip", "deflate"]

    private enum State {
        case beforeFirstByte
        case inMember
        case afterMember
    }

    /// The most bytes that one step decodes.
    static let stepSize = 1 << 16

    // zlib keeps the address of the stream.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let output = UnsafeMutableRawPointer.allocate(byteCount: stepSize, alignment: 1)
    private let allowsRaw: Bool
    private var state = State.beforeFirstByte
    private var isOutputFull = false

    /// Creates a decoder for one of ``codings``.
    init(for coding: String) {
        allowsRaw = coding == "deflate"
        stream.initialize(to: z_stream())
    }

    deinit {
        // Does nothing to a stream that was never started.
        inflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Whether the body may end here: after a member, or before the first byte.
    var isComplete: Bool { state != .inMember }

    /// Decodes one step.
    ///
    /// - Parameter input: The bytes that have arrived; those that are decoded are removed.
    /// - Returns: Up to ``stepSize`` bytes; nil after the last of the input.
    /// - Throws: ``Malformed``.
    func next(from input: inout ByteBuffer) throws(Malformed) -> Data? {
        while input.readableBytes > 0 || isOutputFull {
            if state != .inMember, let first = input.getInteger(at: input.readerIndex, as: UInt8.self) {
                try startMember(with: first)
            }
            let count = try step(&input)
            if count > 0 { return Data(bytes: output, count: count) }
        }
        return nil
    }

    private func startMember(with first: UInt8) throws(Malformed) {
        let isGzip = first == 0x1f
        if state == .afterMember {
            // Only gzip may continue with another member.
            guard isGzip, inflateReset(stream) == Z_OK else { throw Malformed() }
        } else {
            // The lower half of a zlib header's first byte is the method, 8. 15 is the largest window; 32 more has zlib
            // recognize gzip and zlib headers, and a negative number is for data without a header.
            let bits: Int32 = isGzip || first & 0x0f == 8 || !allowsRaw ? 15 + 32 : -15
            let size = Int32(MemoryLayout<z_stream>.size)
            guard inflateInit2_(stream, bits, ZLIB_VERSION, size) == Z_OK else { throw Malformed() }
        }
        state = .inMember
    }

    private func step(_ input: inout ByteBuffer) throws(Malformed) -> Int {
        stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(Self.stepSize)
        let result = input.readWithUnsafeMutableReadableBytes { bytes in
            stream.pointee.next_in = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_in = UInt32(clamping: bytes.count)
            let before = stream.pointee.avail_in
            let result = inflate(stream, Z_NO_FLUSH)
            return (Int(before - stream.pointee.avail_in), result)
        }
        // Z_BUF_ERROR is no failure: there was nothing to do yet.
        guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(result) else { throw Malformed() }
        if result == Z_STREAM_END { state = .afterMember }
        isOutputFull = stream.pointee.avail_out == 0 && result == Z_OK
        return Self.stepSize - Int(stream.pointee.avail_out)
    }
}
