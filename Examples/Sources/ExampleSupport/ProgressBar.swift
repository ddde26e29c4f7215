import APIKit

/// Progress bars in the last line of the terminal; they are not shown if standard error is not a terminal.
///
/// `@unchecked Sendable`: the lock guards all mutable state.
public final class ProgressBar: @unchecked Sendable {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let lock = NSLock()
    private var fractions: [String: Double] = [:]
    private var lastDrawn: ContinuousClock.Instant?

    /// Creates a line without bars.
    public init() {}

    /// Shows the progress of one task, from 0 to 1, next to the other tasks' bars.
    public func show(_ fraction: Double?, of name: String) {
        guard isTerminal else { return }
        lock.withLock {
            fractions[name] = fraction ?? 0
            if let lastDrawn, lastDrawn.duration(to: .now) < .milliseconds(50) { return }
            lastDrawn = .now
            write(fractions.sorted { $0.key < $1.key }.map(bar).joined(separator: "  "))
        }
    }

    /// Removes a bar, and prints a line in its place.
    public func end(_ name: String, printing line: String? = nil) {
        lock.withLock {
            fractions[name] = nil
            write("")
            if let line { print(line) }
        }
    }

    private func bar(of name: String, at fraction: Double) -> String {
        let count = fraction.isFinite ? Int(min(max(fraction, 0), 1) * 20) : 0
        return "\(name) [\(String(repeating: "#", count: count))\(String(repeating: ".", count: 20 - count))]"
    }

    private func write(_ text: String) {
        if isTerminal { try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8)) }
    }
}
