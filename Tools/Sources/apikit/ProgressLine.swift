import APIKitTools

/// The text that shows how far a generation is.
///
/// In a terminal, it is a line with a bar, which is drawn again and again, and removed at the end. Elsewhere, it is a
/// line for each step that takes two seconds. Short work has no text. The caller writes the texts that the methods
/// return, and passes the time since the start of the work.
struct ProgressLine {
    private let isTerminal: Bool
    private var step: Generation.Step?
    private var stepStart: Duration = .zero
    private var isStepAnnounced = false
    /// The line that is in the terminal, without its line break; nil if there is none.
    private var drawnLine: String?

    private static let delayInTerminal = Duration.milliseconds(500)
    private static let delayElsewhere = Duration.seconds(2)
    private static let barWidth = 20

    /// Creates a text that is empty so far, for a terminal or for something else, such as a file.
    init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Sets the step of the work, and how much of it is done.
    mutating func update(_ step: Generation.Step, at time: Duration) {
        if step.name != self.step?.name {
            stepStart = time
            isStepAnnounced = false
        }
        self.step = step
    }

    /// The text to write now; empty if there is nothing to change. In a terminal, the line is cut to the columns.
    mutating func text(at time: Duration, columns: Int) -> String {
        guard let step else { return "" }
        return isTerminal ? redraw(step, at: time, columns: columns) : announce(step, at: time)
    }

    /// The text to write at the end, which removes the line from the terminal.
    mutating func end() -> String {
        defer { drawnLine = nil }
        return removal
    }

    /// Replaces the line in the terminal by that of a step; returns the text that does so. It is empty at first, so
    /// that short work shows nothing, and if the line has not changed.
    private mutating func redraw(_ step: Generation.Step, at time: Duration, columns: Int) -> String {
        let line = String(line(for: step, at: time).prefix(columns))
        guard time >= Self.delayInTerminal, line != drawnLine else { return "" }
        defer { drawnLine = line }
        return removal + line + "\n"
    }

    /// Announces a step once it has taken a while; returns its name as a line, or an empty text before and after that.
    private mutating func announce(_ step: Generation.Step, at time: Duration) -> String {
        guard time - stepStart >= Self.delayElsewhere, !isStepAnnounced else { return "" }
        isStepAnnounced = true
        return step.name + "\n"
    }

    /// The line for a step: `writing files [##########..........] 603 of 1206`. If nothing is counted, it has the
    /// seconds that the step has taken: `planning, 2 s`.
    private func line(for step: Generation.Step, at time: Duration) -> String {
        if let count = step.count { return "\(step.name) \(Self.bar(for: count)) \(count.completed) of \(count.total)" }
        let seconds = (time - stepStart).components.seconds
        return seconds == 0 ? step.name : "\(step.name), \(seconds) s"
    }

    private static func bar(for count: Generation.Step.Count) -> String {
        let width = count.total == 0 ? barWidth : barWidth * count.completed / count.total
        return "[\(String(repeating: "#", count: width))\(String(repeating: ".", count: barWidth - width))]"
    }

    /// The characters that remove the drawn line. The cursor is in the line below it, so that the line stays complete
    /// if the user interrupts the program.
    private var removal: String {
        let moveUp = "\u{1B}[A"
        let clearLine = "\r\u{1B}[K"
        return drawnLine == nil ? "" : moveUp + clearLine
    }
}
