/// Runs work to its end even if the current task is cancelled meanwhile: what a server has issued is never lost. The
/// work has a task of its own, since it would notice the cancellation of this one.
func uncancelled<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task { try await work() }.value
}
