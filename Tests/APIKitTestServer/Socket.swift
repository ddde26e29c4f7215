import Foundation

/// A TCP socket, whose single owner must destroy it once.
struct Socket: Sendable {
    /// Thrown to end a connection: the client has disconnected, the server stops, or the answer ends it.
    struct Ended: Error {}

    let descriptor: Int32

    /// Creates a socket that is bound to 127.0.0.1 and a port, which the system chooses for 0.
    ///
    /// Accepted sockets inherit the options set here.
    static func bound(to port: Int = 0) throws -> (socket: Socket, port: Int) {
        guard let number = UInt16(exactly: port) else { throw POSIXError(.EINVAL) }
        let created = Socket(descriptor: try checked(socket(AF_INET, Platform.streamSocket, 0)))
        do {
            Platform.disableSIGPIPE(on: created)
            created.set(TCP_NODELAY, at: Int32(IPPROTO_TCP), to: Int32(1))
            // A port can be used again at once, although the connections of an earlier server are still closing.
            if port != 0 { created.set(SO_REUSEADDR, at: SOL_SOCKET, to: Int32(1)) }
            var address = loopbackAddress(port: number)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    _ = try checked(bind(created.descriptor, generic, size))
                    _ = try checked(getsockname(created.descriptor, generic, &size))
                }
            }
            return (created, Int(UInt16(bigEndian: address.sin_port)))
        } catch {
            created.destroy()
            throw error
        }
    }

    /// Creates a socket that is connected to a port of 127.0.0.1.
    static func connected(to port: Int) throws -> Socket {
        guard let number = UInt16(exactly: port) else { throw POSIXError(.EINVAL) }
        let created = Socket(descriptor: try checked(socket(AF_INET, Platform.streamSocket, 0)))
        do {
            Platform.disableSIGPIPE(on: created)
            created.set(TCP_NODELAY, at: Int32(IPPROTO_TCP), to: Int32(1))
            var address = loopbackAddress(port: number)
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                    _ = try checked(connect(created.descriptor, generic, socklen_t(MemoryLayout<sockaddr_in>.size)))
                }
            }
            return created
        } catch {
            created.destroy()
            throw error
        }
    }

    private static func loopbackAddress(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Turns the -1 of a system call into an error.
    static func checked(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }

    /// Sends all of the bytes.
    func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = send(descriptor, rest.baseAddress, rest.count, Platform.sendFlags)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno != EINTR {
                    throw Ended()
                }
            }
        }
    }

    /// Waits for bytes, reads at most `limit` of them, and as many as fit, into `piece`, and returns their number;
    /// throws if no more will arrive.
    func read(into piece: inout Data, atMost limit: Int) throws -> Int {
        while true {
            let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, min(limit, $0.count), 0) }
            if count > 0 { return count }
            if count == 0 || errno != EINTR { throw Ended() }
        }
    }

    /// Shuts down both directions, which wakes a thread that reads or writes; the descriptor stays open.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Lets `destroy()` reset the connection instead of closing it cleanly.
    func resetOnDestroy() { set(SO_LINGER, at: SOL_SOCKET, to: linger(l_onoff: 1, l_linger: 0)) }

    /// Closes the descriptor, whose number may be reused immediately.
    func destroy() { _ = close(descriptor) }

    /// Sets a socket option; if that fails, the connection has ended, which the next read or write reports.
    func set<Value>(_ option: Int32, at level: Int32, to value: Value) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }
}
