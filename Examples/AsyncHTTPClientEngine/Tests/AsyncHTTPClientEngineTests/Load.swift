import Foundation

/// How much of everything the tests do: more if the environment says so.
///
/// `APIKIT_ENGINE_LOAD=34` sends some 10,000 requests, for example.
enum Load {
    static let factor = ProcessInfo.processInfo.environment["APIKIT_ENGINE_LOAD"].flatMap { Int($0) } ?? 1
    static let requests = 300 * factor

    /// Prints what happened, unless this is an ordinary run.
    static func report(_ text: String) {
        if factor > 1 { print(text) }
    }
}
