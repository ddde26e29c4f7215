/// Thrown for a request that the app has cancelled by other means than its task, such as a tracker.
package struct Cancellation: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the request was cancelled" }
}
