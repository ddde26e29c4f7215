import OpenAPIRules
import Testing

@Suite struct DescriptionFilesTests {
    private struct Failure: Error, Equatable {
        var problem: ReferenceProblem?
        let path: String
    }

    /// Two files: `a` and `folder/b`.
    private struct Files: DescriptionFiles {
        func root(of file: String, for reference: String, in element: Element) throws(Failure) -> Element {
            switch file {
            case "a": Self.a
            case "folder/b": Self.b
            default: throw Failure(path: element.path)
            }
        }

        func error(_ problem: ReferenceProblem, in element: Element) -> Failure {
            Failure(problem: problem, path: element.path)
        }

        static func reference(_ text: String) -> Node { Node(.object(["$ref": Node(.text(text))])) }

        static let a = Element(
            node: Node(
                .object([
                    "value": Node(.text("A")), "list": Node(.list([Node(.text("first"))])),
                    "/x~y": Node(.text("escaped")), "one": reference("#/two"), "two": reference("folder/b#/three"),
                    "self": reference("#/self"), "circle": reference("#/round"), "round": reference("#/circle"),
                    "into": reference("#/self"), "notText": Node(.object(["$ref": Node(.null)])),
                    "lost": reference("#/nowhere"), "toLost": reference("#/lost"), "far": reference("https://a.b/c#/d"),
                    "noFile": reference("c#/d"),
                ])),
            file: "a", path: "")
        static let b = Element(
            node: Node(.object(["three": reference("../a#/value")])), file: "folder/b", path: "", isReferenced: true)
    }

    private func target(_ name: String) throws(Failure) -> Element {
        guard let element = Files.a.child(name) else { throw Failure(path: name) }
        return try Files().target(of: element)
    }

    @Test func chainLeadsThroughFilesToItsEnd() throws {
        let element = try target("one")
        #expect(element.id == "a#/value")
        #expect(element.node.string == "A")
        #expect(!element.isReferenced)
        #expect(try target("value").id == "a#/value")
    }

    @Test(
        arguments: [("#/list/0", "first"), ("#/~1x~0y", "escaped"), ("#/%2Fx~0y", "escaped"), ("#/list/1", nil)]
            as [(String, String?)])
    func keysAreNamesAndIndexes(text: String, value: String?) {
        let element = try? Files().target(of: text, in: Files.a)
        #expect(element?.node.string == value)
    }

    @Test(
        arguments: [
            ("self", .cycle("#/self"), "/self"), ("circle", .cycle("#/round"), "/circle"),
            ("into", .cycle("#/self"), "/into"), ("notText", .notText, "/notText"),
            ("lost", .missing("#/nowhere"), "/lost"),
            ("toLost", .missing("#/nowhere"), "/lost"), ("far", .otherServer("https://a.b/c#/d"), "/far"),
            ("noFile", nil, "/noFile"),
        ] as [(String, ReferenceProblem?, String)])
    func brokenReferenceIsAnErrorWithItsPlace(name: String, problem: ReferenceProblem?, path: String) {
        let error = #expect(throws: Failure.self) { try target(name) }
        #expect(error == Failure(problem: problem, path: path))
    }
}
