import APIKit

/// Shows the progress of transfers on standard error: a bar for each of them in a terminal, elsewhere a line every five
/// seconds.
///
/// ```swift
/// let bar = ProgressBar()
/// defer { bar.end("map.bin") }
/// let showing = TransferProgress.Handler.anywhere {
///     bar.show("map.bin", $0.bytesReceived, of: $0.totalBytesToReceive)
/// }
/// try await client.send(request, progress: showing)
/// ```
///
/// `@unchecked Sendable`: the lock guards all mutable state.
public final class ProgressBar: @unchecked Sendable {
    private let isTerminal: Bool
    private let lock = NSLock()
    private var transfers: [String: Transfer] = [:]
    private var lastShown: ContinuousClock.Instant?
    /// The number of lines in the terminal that the next ones replace.
    private var drawnLines = 0

    /// Creates a display without transfers.
    public init() {
        let type = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
        isTerminal = isatty(STDERR_FILENO) == 1 && type != "dumb"
        // Short transfers print nothing if standard error is not a terminal.
        if !isTerminal { lastShown = .now }
    }

    /// Shows how many bytes of a transfer are done, next to the other transfers. The total is nil if it is unknown.
    public func show(_ name: String, _ bytes: Int, of total: Int?) {
        lock.withLock {
            let now = ContinuousClock.now
            transfers[name, default: Transfer(firstBytes: bytes, start: now)].update(bytes, of: total, at: now)
            let interval = isTerminal ? Duration.milliseconds(100) : .seconds(5)
            if let lastShown, lastShown.duration(to: now) < interval { return }
            lastShown = now
            draw(at: now)
        }
    }

    /// Removes a transfer, and prints a line in its place if there is one.
    public func end(_ name: String, printing line: String? = nil) {
        lock.withLock {
            transfers[name] = nil
            write(removal)
            drawnLines = 0
            if let line { print(line) }
            if isTerminal { draw(at: .now) }
        }
    }

    // MARK: - Drawing

    /// Writes the lines of all transfers. The cursor is below them, so that they stay complete if the user interrupts
    /// the program.
    private func draw(at now: ContinuousClock.Instant) {
        let lines = transfers.sorted { $0.key < $1.key }.map { name, transfer in
            let text = "\(name): \(transfer.text(at: now))"
            return isTerminal ? String("\(transfer.bar)\(text)".prefix(columns)) : text
        }
        write(removal + lines.map { "\($0)\n" }.joined())
        drawnLines = lines.count
    }

    /// The characters that remove the drawn lines from the terminal.
    private var removal: String {
        let moveUp = "\u{1B}[\(drawnLines)A"
        let clearBelow = "\r\u{1B}[J"
        return isTerminal && drawnLines > 0 ? moveUp + clearBelow : ""
    }

    private func write(_ text: String) {
        guard !text.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// The columns of the terminal, or 80 if they are unknown.
    private var columns: Int {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}

/// How far a transfer is.
private struct Transfer {
    /// The bytes and the time of the first report. A download that continues has bytes already, and the rate does not
    /// include them.
    var firstBytes: Int
    var start: ContinuousClock.Instant
    var bytes = 0
    var total: Int?

    mutating func update(_ bytes: Int, of total: Int?, at now: ContinuousClock.Instant) {
        let beginsAgain = bytes < self.bytes  // after a redirect or a retry
        if beginsAgain { self = Transfer(firstBytes: bytes, start: now) }
        self.bytes = bytes
        self.total = total
    }

    /// `3.1 MB of 8.4 MB, 37 %, 1.2 MB/s`, or `3.1 MB, 1.2 MB/s` if the total is unknown.
    func text(at now: ContinuousClock.Instant) -> String {
        var text = Self.size(bytes)
        if let total { text += " of \(Self.size(total))" }
        if let fraction { text += ", \(Int(100 * fraction)) %" }
        let seconds = start.duration(to: now) / .seconds(1)
        if seconds > 0.1 {
            let rate = Double(bytes - firstBytes) / seconds
            text += ", \(Self.size(Int(rate)))/s"
        }
        return text
    }

    /// `[#######.............]` and a space; empty if the total is unknown.
    var bar: String {
        guard let fraction else { return "" }
        let width = 20
        let count = Int(Double(width) * fraction)
        return "[\(String(repeating: "#", count: count))\(String(repeating: ".", count: width - count))] "
    }

    private var fraction: Double? {
        guard let total else { return nil }
        return total == 0 ? 1 : min(1, Double(bytes) / Double(total))
    }

    private static func size(_ bytes: Int) -> String {
        bytes.formatted(.byteCount(style: .file, spellsOutZero: false))
    }
}
