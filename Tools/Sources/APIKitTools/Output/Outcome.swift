/// The result of writing a file.
enum Outcome: Equatable {
    case created, updated, unchanged, removed
    /// The user has to decide about the file.
    case conflict(ConflictReport)
    /// A line of the manifest, with its number, cannot be read.
    case ignoredLine(Int)
}

/// The lines of the summary about a file about which the user has to decide.
struct ConflictReport: Equatable {
    /// What the conflict is, with the path of the file.
    let headline: String
    /// The lines that differ from the generated text.
    let difference: [String]

    /// Describes a conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict.
    ///   - path: The path of the file.
    ///   - state: The file as it is.
    ///   - newText: The generated text; nil if the file is not generated any more.
    init(_ conflict: FileAction.Conflict, path: GeneratedPath, state: LocatedFile.State, newText: String?) {
        let path = path.text
        var currentText: String?
        switch state {
        case .missing: break
        case .text(let text): currentText = text
        case .unreadable(let obstacle):
            headline = "\(path) \(obstacle.rawValue), so it is not overwritten: move or delete it"
            difference = []
            return
        }
        switch conflict {
        case .edited: headline = "\(path) was edited, and would change:"
        case .existing: headline = "\(path) is not from apikit, and would change:"
        case .deleted: headline = "\(path) was deleted, and has changed in the description"
        case .notGenerated: headline = "\(path) was edited, and is no longer in the description: delete it if you agree"
        }
        if let currentText, let newText {
            difference = Difference.lines(from: currentText, to: newText)
        } else {
            difference = []
        }
    }
}
