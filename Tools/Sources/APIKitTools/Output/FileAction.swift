/// What a run does with a file.
enum FileAction: Equatable {
    /// The file is written, and did not exist.
    case create
    /// The file is written in place of an earlier text.
    case replace
    /// The file stays as it is: it has the generated text, or the text that the user prefers.
    case keep
    /// The file is removed.
    case remove
    /// The file is not generated any more, and there is nothing to remove.
    case forget
    /// The user has to decide. The file stays as it is.
    case conflict(Conflict)

    /// Why the user has to decide about a file.
    enum Conflict: Equatable {
        /// The user edited the file, and its generated text has changed.
        case edited
        /// The user deleted the file, and its generated text has changed.
        case deleted
        /// Something that `apikit` has not written has the path of the file.
        case existing
        /// The user edited the file, and it is not generated any more.
        case notGenerated
    }

    /// What to do about conflicts.
    enum Policy {
        /// They are reported until the user solves them.
        case report
        /// The files stay as they are, and these conflicts are not reported again.
        case keep
        /// The files are overwritten, also those whose edits were no conflict.
        case overwrite
    }
}

extension FileAction {
    /// Decides what to do with a file for which a text is generated. What is known of the file is its record in the
    /// manifest: an earlier run was about to create the file (planned), has written it (generated), or has reported a
    /// conflict about it. The first row that applies decides:
    ///
    /// | known of the file | the file | result |
    /// | --- | --- | --- |
    /// | | has the generated text | `keep` |
    /// | nothing | is missing | `create` |
    /// | nothing | exists | conflict: `existing` |
    /// | planned | is missing: the run was interrupted before | `create` |
    /// | planned | has the planned text: the run was interrupted after | `replace` |
    /// | planned | has another content | conflict: `existing` |
    /// | generated | has the text that was generated | `replace` |
    /// | generated | was edited or deleted, but the generated text is the same | `keep` |
    /// | generated | was edited or deleted | conflict: `edited` or `deleted` |
    /// | conflict | has not changed since the conflict was reported | the same conflict |
    /// | conflict | was deleted since then, to get the generated text | `create` |
    /// | conflict | has the text that was generated then, or one from before | `replace` |
    /// | conflict | was changed in another way, but the generated text is the same: the user has decided | `keep` |
    /// | conflict | was changed in another way | conflict: `edited` |
    ///
    /// If conflicts are kept, the result is `keep` instead of a conflict. If files are overwritten, it is `create` or
    /// `replace` unless the file has the generated text. What is not text is never overwritten.
    ///
    /// - Parameters:
    ///   - generated: The digest of the generated text.
    ///   - file: The content of the file.
    ///   - record: What is known of the file; nil if nothing is.
    ///   - policy: What to do about conflicts.
    /// - Returns: The action.
    static func writing(
        _ generated: TextDigest, to file: FileContent, knownAs record: Manifest.Record?, _ policy: Policy
    ) -> FileAction {
        if file == .text(generated) { return .keep }
        if policy == .overwrite {
            switch file {
            case .missing: return .create
            case .text: return .replace
            // The summary could not show what is lost, so it is decided as if files were not overwritten.
            case .unreadable: break
            }
        }
        let action = writing(generated, to: file, knownAs: record)
        if case .conflict = action, policy == .keep { return .keep }
        return action
    }

    /// Decides what to do with a file if conflicts are reported.
    private static func writing(
        _ generated: TextDigest, to file: FileContent, knownAs record: Manifest.Record?
    ) -> FileAction {
        switch record {
        case nil:
            return file == .missing ? .create : .conflict(.existing)
        case .planned(let planned):
            if file == .missing { return .create }
            return file == .text(planned) ? .replace : .conflict(.existing)
        case .generated(let digests):
            if case .text(let digest) = file, digests.contains(digest) { return .replace }
            if digests.contains(generated) { return .keep }
            return .conflict(file == .missing ? .deleted : .edited)
        case .conflict(let reported, let reportedFile, let earlier):
            if file == reportedFile { return .conflict(file == .missing ? .deleted : .edited) }
            if file == .missing { return .create }
            if let reported, file == .text(reported) { return .replace }
            if case .text(let digest) = file, earlier.contains(digest) { return .replace }
            return reported == generated ? .keep : .conflict(.edited)
        }
    }

    /// Decides what to do with a file of an earlier run for which nothing is generated any more. The first row that
    /// applies decides:
    ///
    /// | known of the file | the file | result |
    /// | --- | --- | --- |
    /// | | is missing | `forget` |
    /// | generated, planned, conflict | has a text that was generated | `remove` |
    /// | planned | has another content, so it was never written | `forget` |
    /// | conflict about this | was changed since the conflict was reported, so it is solved | `forget` |
    /// | | was edited | conflict: `notGenerated` |
    ///
    /// If conflicts are kept, the result is `forget` instead of a conflict. An edited file is never removed.
    ///
    /// - Parameters:
    ///   - file: The content of the file.
    ///   - record: What is known of the file.
    ///   - policy: What to do about conflicts.
    /// - Returns: The action.
    static func removing(_ file: FileContent, knownAs record: Manifest.Record, _ policy: Policy) -> FileAction {
        if file == .missing { return .forget }
        switch record {
        case .generated(let digests):
            if case .text(let digest) = file, digests.contains(digest) { return .remove }
        case .planned(let planned):
            return file == .text(planned) ? .remove : .forget
        case .conflict(let reported, let reportedFile, _):
            if case .text(let digest) = file, record.generatedTexts.contains(digest) { return .remove }
            let isSolved = reported == nil && file != reportedFile
            if isSolved { return .forget }
        }
        return policy == .keep ? .forget : .conflict(.notGenerated)
    }
}
