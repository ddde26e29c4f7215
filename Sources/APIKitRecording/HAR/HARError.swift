public import APIKitCore
import APIKitTesting

/// A file is not a HAR that can be replayed or continued.
public struct HARError: Error, Sendable, Hashable {
    /// The path of the file.
    public let path: String
    /// What is wrong, and where: `log.entries is missing`.
    public let message: String

    init(_ url: URL, _ message: String) {
        path = url.path
        self.message = message
    }
}

extension HARError: CustomStringConvertible, LocalizedError {
    /// One line: the path, and what is wrong.
    public var description: String { "\(path) is not a HAR that can be read: \(message)" }

    /// The same line, for `localizedDescription`.
    public var errorDescription: String? { description }
}
