import Dispatch
import Foundation

/// One client's connection, served by a thread of its own.
final class Connection: Sendable {
    let socket: Socket
    /// Signaled when a gate opens or the server stops.
    private let wake = DispatchSemaphore(value: 0)

    init(_ socket: Socket) { self.socket = socket }

    /// Answers the requests in order, until the client, an answer or the server ends the connection.
    func serve(for core: ServerCore) {
        var reader = RequestReader(socket, for: core)
        do {
            while true {
                let request = try reader.next()
                for step in core.answer(to: request).steps(for: request.method) { try run(step, &reader, core) }
                core.finishAnswer()
                if request.header("Connection", holds: "close") { return }
            }
        } catch is RequestReader.Malformed {
            // try?: the connection ends here even if the client no longer reads.
            try? socket.write(Data("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
        } catch is Socket.Ended {
            // The connection has ended, which is not a failure.
        } catch {
            // The folder for bodies cannot be written; a test sees why if its client shows the response.
            try? socket.write(Data("HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\n\r\n\(error)".utf8))
        }
    }

    /// Wakes the thread if it waits; must be called while the core holds this connection.
    func interrupt() {
        socket.shutDown()
        wake.signal()
    }

    private func run(_ step: ServerAnswer.Step, _ reader: inout RequestReader, _ core: ServerCore) throws {
        switch step {
        case .send(let data): try socket.write(data)
        case .sendRepeatedly(let data, let times): for _ in 0..<times { try socket.write(data) }
        case .drip(let data): for byte in data { try socket.write(Data([byte])) }
        case .sendForever(let data, let pause):
            while true {
                try socket.write(data)
                if wake.wait(timeout: .now() + (pause / .seconds(1))) == .success { throw Socket.Ended() }
            }
        case .waitForClient: try reader.drain()
        case .waitFor(let gate):
            gate.signalWhenOpen(wake)
            wake.wait()
            if core.isStopped { throw Socket.Ended() }
        case .reset:
            socket.resetOnDestroy()
            throw Socket.Ended()
        case .close: throw Socket.Ended()
        }
    }
}
