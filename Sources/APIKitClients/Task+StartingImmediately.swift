extension Task where Failure == any Error {
    /// Starts a task that runs on the caller's thread until it first suspends, if the system supports this.
    ///
    /// A change of threads takes many times as long as the work of a typical client around another one.
    static func startingImmediately(_ work: @escaping @Sendable () async throws -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { try await work() }
        } else {
            Task { try await work() }
        }
    }
}
