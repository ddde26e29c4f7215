import Dispatch
import Foundation

/// A proxy for TCP on loopback that breaks and damages connections, for tests of clients that have to survive this.
///
/// The faults happen one after another: once one has happened, the next one begins to count. All connections count
/// together, so a test that knows when a fault happens has one request in flight. Without a further fault, everything
/// passes.
public final class FaultyProxy: Sendable {
    /// What happens to a connection.
    public enum Fault: Sendable, Hashable {
        /// The connection breaks once the server has been sent this many more bytes.
        case cutRequest(after: Int)
        /// The connection breaks once the client has been sent this many bytes of a response, the first one or a later
        /// one from now on. For 0, the client gets nothing of it.
        case cutResponse(number: Int, after: Int)
        /// One bit is changed of the byte that is sent to the server after this many others.
        case damageRequest(after: Int)
    }

    /// The port of the proxy.
    public let port: Int
    private let core: ProxyCore
    private let listener: Listener

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - server: The port of the server at 127.0.0.1.
    ///   - faults: What happens, in this order.
    /// - Throws: `POSIXError` if no port can be opened.
    public init(to server: Int, faults: [Fault] = []) throws {
        let listener = try Listener(port: 0)
        let core = ProxyCore(server: server, faults: faults)
        (self.listener, self.core, port) = (listener, core, listener.port)
        Thread.detachNewThread {
            listener.acceptConnections { core.serve($0) }
        }
    }

    deinit {
        core.stop()
        listener.stop()
    }

    /// The number of faults that have happened.
    public var faultCount: Int { core.counts.faults }
    /// The bytes that were sent to the server.
    public var requestBytes: Int { core.counts.requestBytes }

    /// Adds a fault that happens after the others.
    public func add(_ fault: Fault) { core.add(fault) }
}

/// The state that the threads of a proxy share.
private final class ProxyCore: @unchecked Sendable {
    // @unchecked: the variables are used under the lock.
    private let server: Int
    private let lock = NSLock()
    private var faults: [FaultyProxy.Fault]
    private var connections: [ObjectIdentifier: ProxyConnection] = [:]
    private var isStopped = false
    /// What was relayed since the last fault.
    private var progress = Progress()
    private var lockedCounts = (faults: 0, requestBytes: 0)

    struct Progress {
        var requestBytes = 0
        /// The responses that have begun.
        var responses = 0
        /// The bytes of the current response.
        var responseBytes = 0
        var isResponding = false
    }

    /// How much of a piece is relayed, and whether the connection breaks after that.
    struct Decision {
        var count: Int
        var breaks = false
        var damagedByte: Int?
    }

    init(server: Int, faults: [FaultyProxy.Fault]) { (self.server, self.faults) = (server, faults) }

    var counts: (faults: Int, requestBytes: Int) { lock.withLock { lockedCounts } }

    func add(_ fault: FaultyProxy.Fault) {
        lock.withLock {
            if faults.isEmpty { progress = Progress() }
            faults.append(fault)
        }
    }

    func serve(_ client: Socket) {
        guard let upstream = try? Socket.connected(to: server) else { return client.destroy() }
        let connection = ProxyConnection(client: client, server: upstream)
        let isAccepted = lock.withLock {
            if !isStopped { connections[ObjectIdentifier(connection)] = connection }
            return !isStopped
        }
        guard isAccepted else { return connection.end() }
        connection.relay(through: self)
    }

    func stop() {
        let open = lock.withLock {
            isStopped = true
            return Array(connections.values)
        }
        for connection in open { connection.shutDown() }
    }

    func forget(_ connection: ProxyConnection) {
        // Under the lock, since `stop()` must not use descriptors that are closed or reused.
        lock.withLock {
            connections[ObjectIdentifier(connection)] = nil
            connection.end()
        }
    }

    /// Counts a piece that is sent to the server.
    func decideRequest(_ size: Int) -> Decision {
        lock.withLock {
            var decision = Decision(count: size)
            progress.isResponding = false
            switch faults.first {
            case .cutRequest(let limit) where progress.requestBytes + size >= limit:
                decision = Decision(count: limit - progress.requestBytes, breaks: true)
            case .damageRequest(let limit) where progress.requestBytes + size > limit:
                decision.damagedByte = limit - progress.requestBytes
            default:
                break
            }
            progress.requestBytes += decision.count
            lockedCounts.requestBytes += decision.count
            if decision.breaks || decision.damagedByte != nil { nextFault() }
            return decision
        }
    }

    /// Counts a piece that is sent to the client.
    func decideResponse(_ size: Int) -> Decision {
        lock.withLock {
            if !progress.isResponding {
                progress.isResponding = true
                progress.responses += 1
                progress.responseBytes = 0
            }
            var decision = Decision(count: size)
            if case .cutResponse(let number, let limit) = faults.first, progress.responses >= number,
                progress.responseBytes + size >= limit
            {
                decision = Decision(count: limit - progress.responseBytes, breaks: true)
            }
            progress.responseBytes += decision.count
            if decision.breaks { nextFault() }
            return decision
        }
    }

    private func nextFault() {
        faults.removeFirst()
        lockedCounts.faults += 1
        progress = Progress()
    }
}

/// A connection through the proxy, with a thread for each direction.
private final class ProxyConnection: Sendable {
    private let client: Socket
    private let server: Socket

    init(client: Socket, server: Socket) { (self.client, self.server) = (client, server) }

    func relay(through core: ProxyCore) {
        let group = DispatchGroup()
        for isRequest in [true, false] {
            group.enter()
            Thread.detachNewThread { [self] in
                copy(isRequest: isRequest, through: core)
                shutDown()
                group.leave()
            }
        }
        group.notify(queue: .global()) { core.forget(self) }
    }

    private func copy(isRequest: Bool, through core: ProxyCore) {
        let (source, target) = isRequest ? (client, server) : (server, client)
        var piece = Data(count: 64 << 10)
        while let count = try? source.read(into: &piece, atMost: piece.count) {
            let decision = isRequest ? core.decideRequest(count) : core.decideResponse(count)
            if let byte = decision.damagedByte { piece[byte] ^= 1 }
            guard (try? target.write(piece.prefix(decision.count))) != nil, !decision.breaks else { return }
        }
    }

    func shutDown() {
        client.shutDown()
        server.shutDown()
    }

    func end() {
        client.destroy()
        server.destroy()
    }
}
