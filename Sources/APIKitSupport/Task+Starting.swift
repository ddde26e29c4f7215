extension Task where Failure == any Error {
    /// Starts a task that runs on the caller's thread until it first suspends, if the system supports this.
    ///
    /// A change of threads takes many times as long as the work of a typical client around another one.
    package static func startingImmediately(_ work: @escaping @Sendable () async throws -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { try await work() }
        } else {
            Task { try await work() }
        }
    }
}

extension Task {
    /// The result of the task, which is cancelled if the caller is.
    package var resultCancelledWithCaller: Result<Success, Failure> {
        get async {
            await withTaskCancellationHandler {
                await result
            } onCancel: {
                cancel()
            }
        }
    }
}
