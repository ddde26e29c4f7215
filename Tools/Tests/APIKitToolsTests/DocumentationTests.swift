import Testing

@testable import APIKitTools

@Suite struct DocumentationTests {
    @Test(arguments: [
        ("The state. Can be one of: `open`, `closed`.", "/// The state."),
        ("The [state](https://a.example) of *all* **users**", "/// The state of all users."),
        ("Optional. The name e.g. of a pet. More.", "/// The name e.g. of a pet."),
        ("update the name", "/// Update the name."), ("For more information, see the guide.", nil),
        (#"Say "yes.""#, #"/// Say "yes.""#), ("One of the following:\n* a\n* b", nil),
        ("# Title\nThe text", "/// The text."),
    ])
    func summariesAreOneCleanSentence(text: String, comment: String?) {
        #expect(Documentation.summary(text, depth: 1) == (comment.map { [$0] } ?? []))
    }

    @Test(arguments: [
        ("issue_number parameter", ["issueNumber"], true), ("The ID of the job.", ["Job", "id"], true),
        ("The name of the runner.", ["Job", "name"], false), ("Public User", ["PublicUser"], true),
    ])
    func namesAreNotRepeated(text: String, names: [String], isRepetition: Bool) {
        #expect(Documentation.summary(text, depth: 1, names: names).isEmpty == isRepetition)
        #expect(Documentation.comment([text], depth: 1, names: names).isEmpty == isRepetition)
    }

    @Test func commentsAreShortAndRepeatNoSentence() {
        let long = "This is a sentence of some length, of which there are many here. "
        let comment = Documentation.comment(
            ["List them.", "List them. \(String(repeating: long, count: 9))"], depth: 0)
        #expect(comment == ["/// List them.", "///", "/// \(long.dropLast())"])
        let others = (1...9).map { "Sentence number \($0) of a long text that does not fit." }
        #expect(Documentation.comment([others.joined(separator: " ")], depth: 0).count == 3)
    }
}
