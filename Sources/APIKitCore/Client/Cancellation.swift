/// Thrown for a request that the app has cancelled by other means than its task, such as a tracker.
struct Cancellation: Error, CustomStringConvertible {
    var description: String { "the request was cancelled" }
}
