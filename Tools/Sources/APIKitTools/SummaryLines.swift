/// Writes the lines of the summary about parts of the source that the code does not represent as described.
struct SummaryLines {
    /// Notes of the same kind, whose texts have the same pattern.
    private struct Group: Hashable {
        let kind: String
        let pattern: String
    }

    private let notes: [Note]

    /// Creates the lines for some notes. Equal notes count once.
    init(_ notes: [Note]) { self.notes = Array(Set(notes)) }

    /// One line for each note, sorted: `skipped: cookie parameter session, shop.yaml, line 143`.
    var ofEachNote: [String] {
        Set(notes.map { Self.line($0, others: "") }).sorted()
    }

    /// One line for all notes of a kind, sorted. It has the first note by its place, and the number of the others:
    ///
    ///     simplified: the response is read as text/json, not as text/csv (12 times), shop.yaml, line 41
    ///     skipped: cookie parameter session (and 3 similar ones), shop.yaml, line 143
    ///
    /// Extensions without effect are all in one line:
    ///
    ///     not used: x-rate-limit, 12 places; x-owner, 1 place
    var ofEachKind: [String] {
        let unused = notes.filter { $0.kind == .unused }
        let others = notes.filter { $0.kind != .unused }
        let groups = Dictionary(grouping: others) { Group(kind: $0.kind.rawValue, pattern: $0.pattern) }
        var lines = groups.values.map(Self.line)
        if !unused.isEmpty { lines.append(Self.lineOfUnused(unused)) }
        return lines.sorted()
    }

    /// The line for all extensions without effect, the most frequent one first.
    private static func lineOfUnused(_ notes: [Note]) -> String {
        let counts = Dictionary(grouping: notes, by: \.text).mapValues(\.count)
        let sorted = counts.sorted { first, second in
            if first.value != second.value { return first.value > second.value }
            return first.key < second.key
        }
        let parts = sorted.map { name, count in count == 1 ? "\(name), 1 place" : "\(name), \(count) places" }
        return "\(Note.Kind.unused.rawValue): \(parts.joined(separator: "; "))".visible
    }

    /// The line for notes of one kind.
    private static func line(_ group: [Note]) -> String {
        let sorted = group.sorted { first, second in
            if first.place.file != second.place.file { return first.place.file < second.place.file }
            if first.place.line != second.place.line { return first.place.line < second.place.line }
            return (first.place.path, first.text) < (second.place.path, second.text)
        }
        let first = sorted[0]
        if sorted.count == 1 { return line(first, others: "") }
        let haveSameText = sorted.allSatisfy { $0.text == first.text }
        if haveSameText { return line(first, others: " (\(sorted.count) times)") }
        let others = sorted.count == 2 ? "a similar one" : "\(sorted.count - 1) similar ones"
        return line(first, others: " (and \(others))")
    }

    /// The line for a note. Notes quote the source; `visible` replaces its line breaks and other invisible characters
    /// by spaces.
    private static func line(_ note: Note, others: String) -> String {
        "\(note.kind.rawValue): \(note.text)\(others), \(note.place)".visible
    }
}
