import Foundation

/// The shared state of the server and its threads, which lives until the last thread has ended.
final class ServerCore: @unchecked Sendable {
    // @unchecked: the only variable, `state`, is used in `update(_:)` alone, under the lock.
    struct State {
        var requests: [ReceivedRequest] = []
        var answerCount = 0
        var connections: [Int32: Connection] = [:]
        var isStopped = false
        var waiters: [UUID: Waiter] = [:]
    }

    struct Waiter {
        let isDone: @Sendable (State) -> Bool
        let continuation: CheckedContinuation<Void, Never>
        var isCancelled: Bool
    }

    private let lock = NSLock()
    private var state = State()
    private let answer: @Sendable (ReceivedRequest) -> ServerAnswer
    private let bodies: Bodies
    let earlyAnswer: @Sendable (ReceivedRequest) -> Data?

    /// Where the bodies of requests go.
    enum Bodies: Sendable {
        case memory
        case files(in: URL)
        case receivers(@Sendable (ReceivedRequest) -> (Data) -> Void)
    }

    init(
        _ bodies: Bodies, answeringEarly earlyAnswer: @escaping @Sendable (ReceivedRequest) -> Data?,
        _ answer: @escaping @Sendable (ReceivedRequest) -> ServerAnswer
    ) {
        (self.bodies, self.earlyAnswer, self.answer) = (bodies, earlyAnswer, answer)
    }

    /// Returns what collects the body of a request.
    func bodySink(for request: ReceivedRequest) throws -> BodySink {
        switch bodies {
        case .memory: BodySink(to: .memory)
        case .files(let folder): BodySink(to: try .newFile(in: folder))
        case .receivers(let receiver): BodySink(to: .receiver(receiver(request)))
        }
    }

    var requests: [ReceivedRequest] { update { $0.requests } }
    var openConnections: Int { update { $0.connections.count } }
    var isStopped: Bool { update { $0.isStopped } }

    /// Serves a connection on a new thread, which owns the socket from here on.
    func serve(_ socket: Socket) {
        let connection = Connection(socket)
        let isAccepted = update { state in
            if !state.isStopped { state.connections[socket.descriptor] = connection }
            return !state.isStopped
        }
        guard isAccepted else { return socket.destroy() }
        Thread.detachNewThread { [self] in
            connection.serve(for: self)
            update { state in
                // Under the lock, since `stop()` must not use a descriptor that is closed or reused.
                state.connections[socket.descriptor] = nil
                socket.destroy()
            }
        }
    }

    /// Records the request, then asks the test for the answer.
    func answer(to request: ReceivedRequest) -> ServerAnswer {
        update { $0.requests.append(request) }
        return answer(request)
    }

    /// Takes note that the steps of an answer have been performed.
    func finishAnswer() { update { $0.answerCount += 1 } }

    /// Ends every connection and refuses new ones; returns false if the server has already stopped.
    func stop() -> Bool {
        update { state in
            guard !state.isStopped else { return false }
            state.isStopped = true
            for connection in state.connections.values { connection.interrupt() }
            return true
        }
    }

    /// Returns when the condition holds, or when the task is cancelled.
    func wait(until isDone: @escaping @Sendable (State) -> Bool) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update {
                    // An earlier cancel found no waiter, but is known to the task.
                    $0.waiters[id] = Waiter(isDone: isDone, continuation: continuation, isCancelled: Task.isCancelled)
                }
            }
        } onCancel: {
            update { $0.waiters[id]?.isCancelled = true }
        }
    }

    /// Reads or changes the state, then resumes the waiters whose condition holds.
    private func update<Value>(_ change: (inout State) -> Value) -> Value {
        let (value, done) = lock.withLock {
            let value = change(&state)
            let done = state.waiters.filter { $0.value.isCancelled || $0.value.isDone(state) }
            for id in done.keys { state.waiters[id] = nil }
            return (value, done.values)
        }
        for waiter in done { waiter.continuation.resume() }
        return value
    }
}
