import APIKitCore

extension Task where Failure == any Error {
    /// Starts a task that runs on the caller's thread until it first suspends, if the system can do so: a change of
    /// threads takes many times as long as what a client around another one does.
    static func startingImmediately(_ work: @escaping @Sendable () async throws -> Success) -> Task {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate { try await work() }
        } else {
            Task { try await work() }
        }
    }
}
