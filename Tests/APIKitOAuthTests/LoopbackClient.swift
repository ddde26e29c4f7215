import Foundation

/// A TCP connection to 127.0.0.1 that sends exactly what a test gives it. It is closed when it is released.
final class LoopbackClient: Sendable {
    private let descriptor: Int32

    /// Connects to a port.
    ///
    /// - Throws: `POSIXError`, with the code `ECONNREFUSED` if nothing listens there.
    init(port: Int) throws {
        #if canImport(Glibc)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { _ = close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        _ = Foundation.send(descriptor, bytes, bytes.count, flags)
    }

    /// Reads to the end of the stream, on a thread, since this blocks.
    func response() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var response: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = recv(descriptor, &piece, piece.count, 0)
                    guard count > 0 else { break }
                    response += piece.prefix(count)
                }
                continuation.resume(returning: String(decoding: response, as: UTF8.self))
            }
        }
    }

    /// Sends a request on a new connection, and returns the response.
    static func exchange(_ request: String, port: Int) async throws -> String {
        let client = try LoopbackClient(port: port)
        client.send(request)
        return await client.response()
    }
}
