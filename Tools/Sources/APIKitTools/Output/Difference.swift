/// The difference of two texts by lines.
enum Difference {
    /// Lists the lines that differ, each with its number. Removed lines begin with `-`, added ones with `+`:
    ///
    ///     - 2:     let name: String
    ///     + 2:     let name: String?
    ///
    /// Line endings are not compared. Of long files, there is only one line, as comparing them would take minutes.
    static func lines(from old: String, to new: String) -> [String] {
        let oldLines = lines(of: old)
        let newLines = lines(of: new)
        let isLong = oldLines.count + newLines.count > maximumLines
        if isLong { return ["\(oldLines.count) lines would become \(newLines.count) lines"] }
        let changes = newLines.difference(from: oldLines).map(Change.init)
        return changes.sorted().map(\.description)
    }

    /// The maximum number of lines of two texts that are compared.
    private static let maximumLines = 10_000

    private static func lines(of text: String) -> [Substring] {
        // A carriage return and a line feed are one character.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }

    private struct Change: Comparable, CustomStringConvertible {
        /// The number of the line, from 1: in the old text for a removed line, in the new one for an added line.
        let lineNumber: Int
        let isAdded: Bool
        let text: Substring

        /// Creates a change from one of the standard library, whose offsets begin with 0.
        init(_ change: CollectionDifference<Substring>.Change) {
            switch change {
            case .insert(let offset, let element, _):
                lineNumber = offset + 1
                isAdded = true
                text = element
            case .remove(let offset, let element, _):
                lineNumber = offset + 1
                isAdded = false
                text = element
            }
        }

        /// Changes are sorted by line number. For the same number, the removed line comes before the added one.
        static func < (left: Change, right: Change) -> Bool {
            if left.lineNumber != right.lineNumber { return left.lineNumber < right.lineNumber }
            return !left.isAdded && right.isAdded
        }

        var description: String { "\(isAdded ? "+" : "-") \(lineNumber): \(String(text).visible)" }
    }
}
