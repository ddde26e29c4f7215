import Foundation

/// Reads the requests of one connection in order.
struct RequestReader {
    /// Thrown if the end of the body cannot be determined.
    struct Malformed: Error {}

    private let socket: Socket
    private let core: ServerCore
    private var piece = Data(count: 65_536)
    private var buffer = Data()

    init(_ socket: Socket, for core: ServerCore) { (self.socket, self.core) = (socket, core) }

    /// Waits for the next request and reads it completely, responding to `Expect: 100-continue` unless there
    /// is an early answer.
    mutating func next() throws -> ReceivedRequest {
        var request = ReceivedRequest(head: try take(until: "\r\n\r\n"))
        if let early = core.earlyAnswer(request) {
            try socket.write(early)
        } else if request.header("Expect", holds: "100-continue") {
            try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        if request.header("Transfer-Encoding", holds: "chunked") {
            request.setBody(try takeChunks(into: core.bodySink(for: request)))
        } else if let length = request.values(of: "Content-Length").first {
            guard let count = Int(length), count >= 0 else { throw Malformed() }
            var body = try core.bodySink(for: request)
            try take(count, into: &body)
            request.setBody(body)
        }
        return request
    }

    /// Reads and discards bytes until the client closes its side.
    mutating func drain() throws {
        while true { _ = try socket.read(into: &piece, atMost: piece.count) }
    }

    private mutating func takeChunks(into sink: BodySink) throws -> BodySink {
        var body = sink
        while true {
            let line = String(decoding: try take(until: "\r\n"), as: UTF8.self)
            let size = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard let count = Int(size, radix: 16), count >= 0 else { throw Malformed() }
            if count == 0 { break }
            try take(count, into: &body)
            guard try take(until: "\r\n").isEmpty else { throw Malformed() }
        }
        while try !take(until: "\r\n").isEmpty {}  // trailers
        return body
    }

    /// Takes the bytes before the mark, and discards the mark.
    private mutating func take(until mark: String) throws -> Data {
        while true {
            if let range = buffer.range(of: Data(mark.utf8)) {
                defer { buffer = buffer[range.upperBound...] }
                return buffer[..<range.lowerBound]
            }
            let count = try socket.read(into: &piece, atMost: piece.count)
            buffer = Data(buffer)  // a slice would keep all bytes that were taken from it
            buffer.append(piece[..<count])
        }
    }

    private mutating func take(_ count: Int, into body: inout BodySink) throws {
        let part = buffer.prefix(count)
        try body.append(part)
        buffer = buffer[part.endIndex...]
        var missing = count - part.count
        while missing > 0 {
            let count = try socket.read(into: &piece, atMost: min(missing, piece.count))
            try body.append(piece[..<count])
            missing -= count
        }
    }
}
