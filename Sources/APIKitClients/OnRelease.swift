/// Does work when its last reference is released. Kept by the body of a response, it does work at the end of the
/// response.
final class OnRelease: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    deinit {
        work()
    }
}
