import APIKitSupport

// The side of clients that respond without a network, such as a stub: they report events in place of an engine.
extension Exchange {
    /// Starts a task that reports the events of the request in place of an engine. An error that the task throws fails
    /// the exchange. If the exchange fails for another reason, the task is cancelled.
    ///
    /// - Parameter reportEvents: Reports the head, the pieces of the body and the end. It waits with
    ///   ``waitForDemand()`` before each piece.
    package func playEngine(_ reportEvents: @escaping @Sendable (Exchange) async throws -> Void) {
        let storedTask = Locked<Task<Void, Never>?>(nil)
        let stop = { @Sendable in
            let task = storedTask.withLock { $0 }
            task?.cancel()
        }
        // A pause ends without a call, since the task waits for demand. A closure is passed all the same, since without
        // one the exchange assumes that the engine cannot pause.
        let resume = { @Sendable in }
        let hasBegun = begin(stop: stop, resume: resume)
        // The exchange may have ended already, for example by a cancel.
        guard hasBegun else { return }
        let task = Task {
            do {
                try await reportEvents(self)
            } catch {
                fail(error)
            }
        }
        storedTask.withLock { $0 = task }
        // The exchange may have been stopped before the task was stored.
        if isOver { task.cancel() }
    }

    /// Waits until all progress has been reported, and until the reader of a stream wants the next piece. The end of
    /// the exchange ends the wait for a reader.
    package func waitForDemand() async {
        if let reporter = state.withLock({ $0.reporter }) {
            await withCheckedContinuation { reported in reporter.afterReports { reported.resume() } }
        }
        await withCheckedContinuation { feeder in update { $0.wait(feeder) } }
    }
}
