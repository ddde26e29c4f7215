import Foundation

/// A TCP socket on 127.0.0.1 that never blocks. Its single owner must close it once.
struct LoopbackSocket: Sendable {
    let descriptor: Int32

    /// Creates a socket that listens on a port of 127.0.0.1; the system chooses one for port 0.
    ///
    /// - Throws: `POSIXError`, with the code `EADDRINUSE` if another socket listens there.
    static func listening(port: UInt16) throws(POSIXError) -> LoopbackSocket {
        let created = LoopbackSocket(descriptor: try checked(socket(AF_INET, streamSocket, 0)))
        do throws(POSIXError) {
            try created.prepare()
            // A port whose last connections have just been closed can be used again.
            created.set(SO_REUSEADDR)
            try created.bind(to: port)
            _ = try checked(listen(created.descriptor, 16))
            return created
        } catch {
            created.close()
            throw error
        }
    }

    /// The port that the socket is bound to.
    var port: UInt16 {
        get throws(POSIXError) {
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
            }
            _ = try Self.checked(result)
            return UInt16(bigEndian: address.sin_port)
        }
    }

    /// Accepts a connection; nil if none waits.
    func accept() -> LoopbackSocket? {
        let accepted = Foundation.accept(descriptor, nil, nil)
        guard accepted >= 0 else { return nil }
        let socket = LoopbackSocket(descriptor: accepted)
        do throws(POSIXError) {
            try socket.prepare()
            return socket
        } catch {
            socket.close()
            return nil
        }
    }

    /// The result of a read.
    enum Input {
        case bytes(Data)
        /// Nothing has arrived yet.
        case none
        /// Nothing will arrive any more.
        case end
    }

    /// Reads the bytes that have arrived, at most the given number.
    func read(atMost count: Int) -> Input {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &bytes, count, 0)
        if received > 0 { return .bytes(Data(bytes.prefix(received))) }
        let mayContinue = received < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
        return mayContinue ? .none : .end
    }

    /// Sends bytes that fit into the socket's buffer, and ends the stream. Errors are ignored: the other end is gone.
    func sendLast(_ data: Data) {
        _ = data.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Self.sendFlags) }
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    func close() { _ = Foundation.close(descriptor) }

    // MARK: - Options

    private func prepare() throws(POSIXError) {
        // Otherwise, a browser that is started would keep the port.
        _ = try Self.checked(fcntl(descriptor, F_SETFD, FD_CLOEXEC))
        _ = try Self.checked(fcntl(descriptor, F_SETFL, O_NONBLOCK))
        #if canImport(Darwin)
        set(SO_NOSIGPIPE)
        #endif
    }

    private func bind(to port: UInt16) throws(POSIXError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.bind(descriptor, $0, size) }
        }
        _ = try Self.checked(result)
    }

    /// Turns an option on.
    private func set(_ option: Int32) {
        var value: Int32 = 1
        _ = setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Turns the -1 of a system call into an error.
    static func checked(_ result: Int32) throws(POSIXError) -> Int32 {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }

    #if canImport(Glibc)
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
    #else
    private static let streamSocket = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    // Without it, sending to a closed connection would end the process (SIGPIPE).
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif
}

/// A pipe that wakes a thread in `poll`, from any thread.
final class WakePipe: Sendable {
    /// The end that becomes readable.
    let reader: Int32
    private let writer: Int32

    init() throws(POSIXError) {
        var ends: [Int32] = [-1, -1]
        _ = try LoopbackSocket.checked(pipe(&ends))
        reader = ends[0]
        writer = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        _ = close(reader)
        _ = close(writer)
    }

    /// Wakes the thread; call this a few times at most, since the pipe is never emptied.
    func wake() { _ = write(writer, [0], 1) }
}
