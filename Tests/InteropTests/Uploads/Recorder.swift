import Synchronization

/// A list of values from any task or thread.
final class Recorder<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    /// Appends a value and returns the new count.
    @discardableResult func append(_ value: Value) -> Int {
        list.withLock { list in
            list.append(value)
            return list.count
        }
    }
}
