import APIKitTools
import Foundation

/// Shows on standard error how far a generation is.
///
/// `@unchecked Sendable`: the line is only used on the queue.
final class ProgressDisplay: @unchecked Sendable {
    private let queue = DispatchQueue(label: "progress")
    private let timer: any DispatchSourceTimer
    private let start = ContinuousClock.now
    private var line = ProgressLine(isTerminal: Terminal.canMoveCursor)

    /// Starts a display, which is empty until a step is shown.
    init() {
        // A timer, since some steps, such as reading YAML, report nothing while they last.
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(100))
        timer.setEventHandler { [weak self] in self?.draw() }
        timer.activate()
    }

    /// Shows a step of the work.
    func show(_ step: Generation.Step) {
        queue.sync { line.update(step, at: start.duration(to: .now)) }
    }

    /// Removes what is shown. Nothing is shown after that.
    func end() {
        queue.sync {
            timer.cancel()
            Terminal.write(line.end())
        }
    }

    private func draw() {
        Terminal.write(line.text(at: start.duration(to: .now), columns: Terminal.columns))
    }
}

/// Standard error.
private enum Terminal {
    /// Whether standard error is a terminal in which lines can be drawn again.
    static var canMoveCursor: Bool {
        let type = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
        return isatty(STDERR_FILENO) == 1 && type != "dumb"
    }

    /// The width of the terminal, or 80 if it is unknown.
    static var columns: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Writes a text. Errors are ignored, since the work does not depend on what is shown of it.
    static func write(_ text: String) {
        if !text.isEmpty { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }
    }
}
