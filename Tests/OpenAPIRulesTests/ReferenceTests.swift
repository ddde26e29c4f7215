import OpenAPIRules
import Testing

@Suite struct ReferenceTests {
    @Test(
        arguments: [
            ("#", "", []), ("", "", []), ("#/", "", []), ("a.yaml", "a.yaml", []), ("../a.yaml#/b", "../a.yaml", ["b"]),
            ("#/paths/~1users~1%7Bid%7D/get", "", ["paths", "/users/{id}", "get"]), ("#/a~01/0", "", ["a~1", "0"]),
            ("#/%E9", "", ["%E9"]),
        ] as [(String, String, [String])])
    func hasAFileAndKeys(text: String, file: String, keys: [String]) {
        let reference = Reference(text)
        #expect(reference.file == file)
        #expect(reference.keys == keys)
    }

    @Test(arguments: ["a", "/users/{id}", "~1", "~/~"])
    func pointerLeadsBackToTheKey(key: String) {
        #expect(Reference(Reference.pointer("#/a", key)).keys == ["a", key])
    }

    @Test(
        arguments: [
            ("#/a", "paths/users.yaml", "paths/users.yaml"), ("b.yaml#/a", "paths/users.yaml", "paths/b.yaml"),
            ("../b.yaml", "paths/users.yaml", "b.yaml"), ("./b.yaml", "a.yaml", "b.yaml"), ("../../b", "a/c", "../b"),
        ] as [(String, String, String)])
    func fileIsRelativeToTheFileOfTheReference(text: String, base: String, file: String) {
        #expect(Reference(text).file(relativeTo: base) == file)
    }
}
