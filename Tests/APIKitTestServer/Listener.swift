import Dispatch
import Foundation

/// The listening socket, and the pipe that wakes the one thread that accepts on it.
///
/// A pipe, because shutting down a listening socket wakes `accept` on Linux but not on Darwin.
struct Listener: Sendable {
    let port: Int
    private let socket: Socket
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let closed = DispatchSemaphore(value: 0)

    init(port: Int) throws {
        (socket, self.port) = try Socket.bound(to: port)
        do {
            _ = try Socket.checked(listen(socket.descriptor, 1024))
            // If a client disconnects between poll and accept, accept must not wait for the next one.
            _ = try Socket.checked(fcntl(socket.descriptor, F_SETFL, O_NONBLOCK))
            var ends: [Int32] = [-1, -1]
            _ = try Socket.checked(pipe(&ends))
            (wakeReader, wakeWriter) = (ends[0], ends[1])
        } catch {
            socket.destroy()
            throw error
        }
    }

    /// Passes every connection to `body` until `stop()` is called.
    func acceptConnections(_ body: (Socket) -> Void) {
        var events = [socket.descriptor, wakeReader].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            guard poll(&events, nfds_t(events.count), -1) > 0 else { continue }  // EINTR
            if events[1].revents != 0 { break }
            let descriptor = accept(socket.descriptor, nil, nil)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)  // inherited on Darwin, not on Linux
                body(Socket(descriptor: descriptor))
            } else if errno == EMFILE || errno == ENFILE {
                Thread.sleep(forTimeInterval: 0.01)  // nothing reports a free descriptor
            }
        }
        socket.destroy()
        _ = close(wakeReader)
        closed.signal()
    }

    /// Ends `acceptConnections(_:)` and returns when the port is closed; must be called once.
    func stop() {
        // A process that was started meanwhile may have the other end of the pipe too, so closing it is not enough.
        _ = write(wakeWriter, [0], 1)
        _ = close(wakeWriter)
        closed.wait()
    }
}
