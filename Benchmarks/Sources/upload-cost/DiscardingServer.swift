import Foundation

/// A server of tus uploads that discards the bytes, and responds to everything else with 204 once its body has arrived.
/// Each connection has a thread.
struct DiscardingServer {
    let url: URL

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, generic, &size) == 0
            }
        }
        guard isBound, let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))") else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        self.url = url
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { continue }
                var isOn: Int32 = 1
                setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
                Thread.detachNewThread {
                    Connection(descriptor: connection).serve()
                    close(connection)
                }
            }
        }
    }
}

/// A connection of a client.
private struct Connection {
    let descriptor: Int32

    func serve() {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        while let (head, surplus) = nextHead(&buffer) {
            let length = head.number("Content-Length") ?? 0
            if head.text.lowercased().contains("expect: 100-continue") { send("HTTP/1.1 100 Continue\r\n\r\n") }
            var missing = length - surplus
            while missing > 0 {
                let count = recv(descriptor, &buffer, min(missing, buffer.count), 0)
                guard count > 0 else { return }
                missing -= count
            }
            if head.text.hasPrefix("POST") {
                send("HTTP/1.1 201 Created\r\nLocation: /uploads/1\r\nContent-Length: 0\r\n\r\n")
            } else if let offset = head.number("Upload-Offset") {
                send("HTTP/1.1 204 No Content\r\nUpload-Offset: \(offset + length)\r\n\r\n")
            } else {
                send("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
    }

    private struct Head {
        let text: String

        func number(_ name: String) -> Int? {
            let start = "\(name.lowercased()): "
            let line = text.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(start) }
            return line.flatMap { Int($0.dropFirst(start.count)) }
        }
    }

    /// Reads a head, and how many bytes of the body came with it; nil at the end of the connection.
    private func nextHead(_ buffer: inout [UInt8]) -> (head: Head, surplus: Int)? {
        var bytes = Data()
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
            if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
                let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
                return (Head(text: text), bytes.endIndex - end.upperBound)
            }
        }
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
