import Testing

@testable import APIKitTools

@Suite struct DocumentationTests {
    @Test(
        arguments: [
            ("The state. Can be one of: `open`, `closed`.", "The state."),
            ("The [state](https://a.example) of *all* **items**", "The state of all items."),
            ("Optional. The name e.g. of a pet. More.", "The name e.g. of a pet."),
            ("For more information, see the guide.", nil),
            (#"Say "yes.""#, #"Say "yes.""#), ("One of the following:\n* a\n* b", nil),
            ("# Title\nThe text", "The text."),
            ("A new order (optional)", "An order."), ("A Title in Title Case Here", "A title in title case here."),
            ("Only for users with the permission to read.", nil), ("What you want.", nil), ("Sets a_b.", nil),
            (String(repeating: "long ", count: 30), nil),
        ] as [(String, String?)])
    func summariesAreOneCleanSentence(text: String, comment: String?) {
        #expect(Documentation.summary(text) == (comment.map { ["/// \($0)"] } ?? []))
    }

    @Test(
        arguments: [
            ("List commits", "Lists commits."), ("Retrieves a list of users.", "Lists users."),
            ("Permanently delete a file.", "Permanently deletes a file."),
            ("Get or create a tag", "Gets or creates a tag."),
            ("The newest of all that is there.", "The newest of all that is there."), ("The list is sorted.", nil),
            ("Verify it all", "Verifies it all."), ("Search code", "Searches code."), ("When it is there.", nil),
            ("Use this to read.", nil), ("Re-run a job", "Re-runs a job."),
            ("To get one, send a request.\n\nGets an order.", "An order."),
            ("Lists the rates of a currency.", "The rates of a currency."),
        ] as [(String, String?)])
    func commentsOnEndpointsSayWhatTheyDo(text: String, comment: String?) {
        #expect(Documentation.action([text]) == (comment.map { ["/// \($0)"] } ?? []))
    }

    @Test(
        arguments: [
            ("issue_number parameter", ["issueNumber"], true), ("The ID of the job.", ["Job", "id"], true),
            ("The name of the runner.", ["Job", "name"], false), ("Public User", ["PublicUser"], true),
            ("Retrieve an existing repository.", ["GetRepoRequest"], true),
        ] as [(String, [String], Bool)])
    func namesAreNotRepeated(text: String, names: [String], isRepetition: Bool) {
        #expect(Documentation.summary(text, names: names).isEmpty == isRepetition)
    }

    @Test(
        arguments: [
            ("The time to wait in seconds.", "delay", false, true),
            ("The reason for the refund.", "reason", false, false), ("At most 20 characters.", "code", false, true),
            ("The ID, in hex.", "id", false, false), ("The number of items, at most 100.", "limit", false, false),
            ("When it ends, in ISO 8601.", "endsAt", true, false),
        ] as [(String, String, Bool, Bool)])
    func commentsOnPropertiesArePrecise(text: String, name: String, isDate: Bool, isKept: Bool) {
        let schema = Schema(isDate ? .date : .string, documentation: text, place: Place(file: ""))
        let property = Property(name: name, wireName: name, type: "", schema: schema)
        #expect(Documentation.property(property, names: ["Job"], isPublic: false).isEmpty != isKept)
    }

    @Test(
        arguments: [
            ("The ID.", "id", false), ("The name of the job.", "name", false),
            ("The reason for the refund.", "reason", true),
        ] as [(String, String, Bool)])
    func commentsOnPublicPropertiesSayMoreThanTheName(text: String, name: String, isKept: Bool) {
        let schema = Schema(.string, documentation: text, place: Place(file: ""))
        let property = Property(name: name, wireName: name, type: "", schema: schema)
        #expect(Documentation.property(property, names: ["Job"], isPublic: true).isEmpty != isKept)
    }
}
