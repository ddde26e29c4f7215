#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The file format gzip (RFC 1952), as a content coding (RFC 9110, section 8.4.1.3).
package enum Gzip {
    /// Returns compressed bytes; nil if the system has no library that compresses them.
    package static func compressed(_ data: Data) -> Data? {
        guard let deflated = deflated(data) else { return nil }
        var result = Data()
        result.reserveCapacity(header.count + deflated.count + 8)
        result.append(contentsOf: header)
        result.append(deflated)
        result.append(littleEndian: checksum(of: data))
        // The format has room for the length modulo 2³² (RFC 1952, section 2.3.1).
        result.append(littleEndian: UInt32(truncatingIfNeeded: data.count))
        return result
    }

    /// The magic number, the method deflate, no flags, no time, no extra flags, and an unknown file system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

    /// Returns the CRC-32 of bytes (RFC 1952, section 8).
    static func checksum(of data: Data) -> UInt32 {
        data.withUnsafeBytes { bytes in
            remainders.withUnsafeBufferPointer { remainders in
                var sum = UInt32.max
                for byte in bytes { sum = remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
                return ~sum
            }
        }
    }

    /// The remainder for each byte, by the polynomial of CRC-32.
    private static let remainders: [UInt32] = (0..<256).map { byte in
        var remainder = UInt32(byte)
        for _ in 0..<8 {
            let isOdd = remainder & 1 == 1
            remainder >>= 1
            if isOdd { remainder ^= 0xEDB8_8320 }
        }
        return remainder
    }

    #if canImport(Darwin)
    /// Returns the bytes in the format deflate (RFC 1951).
    private static func deflated(_ data: Data) -> Data? {
        // What Foundation calls zlib is deflate without zlib's header and checksum.
        try? (data as NSData).compressed(using: .zlib) as Data
    }
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// Returns the bytes in the format deflate (RFC 1951); nil without zlib.
    private static func deflated(_ data: Data) -> Data? {
        guard let zlib = Zlib.shared, var result = zlib.compressed(data) else { return nil }
        // Around deflate, zlib's own format has a header of two bytes and a checksum of four (RFC 1950, section 2.2).
        guard result.count >= 6 else { return nil }
        result.removeLast(4)
        result.removeFirst(2)
        return result
    }
    #else
    /// Returns nil: the platform cannot open libraries at run time.
    private static func deflated(_ data: Data) -> Data? { nil }
    #endif
}

extension Data {
    fileprivate mutating func append(littleEndian number: UInt32) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
/// The functions of zlib, which is opened at run time, so that building needs no headers.
private struct Zlib {
    typealias Bound = @convention(c) (_ sourceLength: UInt) -> UInt
    typealias Compress =
        @convention(c) (
            _ target: UnsafeMutablePointer<UInt8>, _ targetLength: UnsafeMutablePointer<UInt>,
            _ source: UnsafePointer<UInt8>, _ sourceLength: UInt, _ level: Int32
        ) -> Int32

    let bound: Bound
    let compress: Compress

    /// The functions; nil if the system does not have the library.
    static let shared = Zlib()

    private init?() {
        guard let library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL),
            let bound = dlsym(library, "compressBound"), let compress = dlsym(library, "compress2")
        else { return nil }
        self.bound = unsafeBitCast(bound, to: Bound.self)
        self.compress = unsafeBitCast(compress, to: Compress.self)
    }

    /// Returns bytes in zlib's format (RFC 1950); nil if there is not enough memory.
    func compressed(_ data: Data) -> Data? {
        var length = bound(UInt(data.count))
        var result = Data(count: Int(length))
        let usualLevel: Int32 = -1
        let code = result.withUnsafeMutableBytes { target in
            data.withUnsafeBytes { source -> Int32 in
                let target = target.bindMemory(to: UInt8.self)
                let source = source.bindMemory(to: UInt8.self)
                guard let target = target.baseAddress, let source = source.baseAddress else { return -1 }
                return compress(target, &length, source, UInt(data.count), usualLevel)
            }
        }
        guard code == 0 else { return nil }
        return result.prefix(Int(length))
    }
}
#endif
