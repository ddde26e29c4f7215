import Testing

@testable import APIKitTools

@Suite struct FileActionTests {
    private static let generated = TextDigest(of: "generated")
    private static let new = TextDigest(of: "new")
    private static let edited = TextDigest(of: "edited")
    private static let other = TextDigest(of: "edited otherwise")
    private static let conflict = Manifest.Record.conflict(generated: new, file: .text(edited))

    private typealias Row = (Manifest.Record?, FileContent, FileAction)

    /// Each row: what is known of the file, the file, and the action if the new text is generated for it.
    private static let rows: [Row] = [
        (nil, .missing, .create), (nil, .text(new), .keep), (nil, .text(edited), .conflict(.existing)),
        (nil, .unreadable, .conflict(.existing)),
        (.planned(generated), .missing, .create), (.planned(generated), .text(generated), .replace),
        (.planned(generated), .text(new), .keep), (.planned(generated), .text(edited), .conflict(.existing)),
        (.generated([generated]), .text(generated), .replace), (.generated([generated]), .text(new), .keep),
        (.generated([generated]), .text(edited), .conflict(.edited)),
        (.generated([generated]), .missing, .conflict(.deleted)),
        (.generated([generated]), .unreadable, .conflict(.edited)),
        (.generated([new]), .text(edited), .keep), (.generated([new]), .missing, .keep),
        (.generated([new]), .unreadable, .keep),
        (.generated([generated, new]), .text(generated), .replace),
        (.generated([generated, new]), .text(edited), .keep),
        (conflict, .text(edited), .conflict(.edited)), (conflict, .missing, .create), (conflict, .text(new), .keep),
        (conflict, .text(other), .keep), (conflict, .unreadable, .keep),
        (.conflict(generated: generated, file: .text(edited)), .text(other), .conflict(.edited)),
        (.conflict(generated: generated, file: .text(edited)), .text(edited), .conflict(.edited)),
        (.conflict(generated: generated, file: .text(edited)), .text(generated), .replace),
        (.conflict(generated: other, file: .text(edited), earlier: [generated]), .text(generated), .replace),
        (.conflict(generated: new, file: .missing), .missing, .conflict(.deleted)),
        (.conflict(generated: new, file: .missing), .text(edited), .keep),
        (.conflict(generated: nil, file: .text(edited)), .text(edited), .conflict(.edited)),
    ]

    @Test(arguments: rows.indices) func actionDependsOnTheManifestTheFileAndTheText(index: Int) {
        let (record, file, action) = Self.rows[index]
        #expect(FileAction.writing(Self.new, to: file, knownAs: record, .report) == action)
    }

    @Test(arguments: rows.indices) func conflictsAreKeptIfThatIsWanted(index: Int) {
        let (record, file, action) = Self.rows[index]
        var expected = action
        if case .conflict = action { expected = .keep }
        #expect(FileAction.writing(Self.new, to: file, knownAs: record, .keep) == expected)
    }

    @Test(arguments: rows.indices) func allTextsAreOverwrittenIfThatIsWanted(index: Int) {
        let (record, file, action) = Self.rows[index]
        let expected: FileAction =
            switch file {
            case .missing: .create
            case .text(let digest): digest == Self.new ? .keep : .replace
            case .unreadable: action
            }
        #expect(FileAction.writing(Self.new, to: file, knownAs: record, .overwrite) == expected)
    }

    /// Each row: what is known of the file, the file, and the action if nothing is generated for it.
    private static let rowsOfObsoleteFiles: [(Manifest.Record, FileContent, FileAction)] = [
        (.generated([generated]), .missing, .forget), (.generated([generated]), .text(generated), .remove),
        (.generated([generated, new]), .text(new), .remove),
        (.generated([generated]), .text(edited), .conflict(.notGenerated)),
        (.generated([generated]), .unreadable, .conflict(.notGenerated)),
        (.planned(generated), .missing, .forget), (.planned(generated), .text(generated), .remove),
        (.planned(generated), .text(edited), .forget), (.planned(generated), .unreadable, .forget),
        (conflict, .missing, .forget), (conflict, .text(new), .remove),
        (conflict, .text(edited), .conflict(.notGenerated)), (conflict, .text(other), .conflict(.notGenerated)),
        (.conflict(generated: nil, file: .text(edited)), .text(edited), .conflict(.notGenerated)),
        (.conflict(generated: nil, file: .text(edited)), .text(other), .forget),
        (.conflict(generated: nil, file: .text(edited), earlier: [generated]), .text(generated), .remove),
        (.conflict(generated: nil, file: .unreadable), .unreadable, .conflict(.notGenerated)),
    ]

    @Test(arguments: rowsOfObsoleteFiles.indices) func onlyGeneratedTextsAreRemoved(index: Int) {
        let (record, file, action) = Self.rowsOfObsoleteFiles[index]
        #expect(FileAction.removing(file, knownAs: record, .report) == action)
        #expect(FileAction.removing(file, knownAs: record, .overwrite) == action)
        var kept = action
        if case .conflict = action { kept = .forget }
        #expect(FileAction.removing(file, knownAs: record, .keep) == kept)
    }
}
