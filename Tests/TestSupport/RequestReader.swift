import Foundation

/// Reads the requests of one connection, one after the other.
struct RequestReader {
    /// Thrown when nobody can tell where the body ends.
    struct Malformed: Error {}

    private let socket: Socket
    private var piece = [UInt8](repeating: 0, count: 65_536)
    private var buffer = Data()

    init(_ socket: Socket) {
        self.socket = socket
    }

    /// Waits for the next request and reads all of it, answering `Expect: 100-continue` on the way.
    mutating func next() throws -> ReceivedRequest {
        var request = ReceivedRequest(head: try take(until: "\r\n\r\n"))
        if request.header("Expect", holds: "100-continue") {
            try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if request.header("Transfer-Encoding", holds: "chunked") {
            request.body = try takeChunks()
        } else if let length = request.values(of: "Content-Length").first {
            guard let count = Int(length), count >= 0 else { throw Malformed() }
            request.body = try take(count)
        }
        return request
    }

    /// Reads on until the client closes its side.
    mutating func drain() throws {
        while true { _ = try socket.read(into: &piece) }
    }

    private mutating func takeChunks() throws -> Data {
        var body = Data()
        while true {
            let line = String(decoding: try take(until: "\r\n"), as: UTF8.self)
            let size = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard let count = Int(size, radix: 16), count >= 0 else { throw Malformed() }
            if count == 0 { break }
            body.append(try take(count))
            guard try take(until: "\r\n").isEmpty else { throw Malformed() }
        }
        while try !take(until: "\r\n").isEmpty {}  // trailers
        return body
    }

    /// Takes what comes before the mark, and drops the mark.
    private mutating func take(until mark: String) throws -> Data {
        while true {
            if let range = buffer.range(of: Data(mark.utf8)) {
                defer { buffer = buffer[range.upperBound...] }
                return buffer[..<range.lowerBound]
            }
            try fill()
        }
    }

    private mutating func take(_ count: Int) throws -> Data {
        var taken = Data()
        while true {
            let part = buffer.prefix(count - taken.count)
            taken.append(part)
            buffer = buffer[part.endIndex...]
            if taken.count == count { return taken }
            try fill()
        }
    }

    private mutating func fill() throws {
        let count = try socket.read(into: &piece)
        buffer = Data(buffer)  // The slice would hold on to all that was taken from it.
        buffer.append(contentsOf: piece[..<count])
    }
}
