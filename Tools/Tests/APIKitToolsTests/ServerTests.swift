import Foundation
import Testing

@testable import APIKitTools

/// What is generated for the servers of an API.
@Suite struct ServerTests {
    /// The code of the base's file for some servers, and the notes.
    private func generate(_ servers: String, path: String = "/a", name: String = "Test") throws -> (
        code: String, notes: [String]
    ) {
        let description =
            ErrorTests.head + #""servers": [\#(servers)], "paths": {"\#(path)": {"get": {"responses": {"204": {}}}}}}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(description, to: "api.json")
        let plan = try Generation.plan(file, options: Plan.Options(name: name))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let base = try #require(files.first { $0.path == "\(name)API.swift" })
        return (base.text, plan.api.notes.map(\.text).sorted())
    }

    private static let main = #"{"url": "https://api.example.com"}"#

    // MARK: - Names

    @Test(
        arguments: [
            (#"{"url": "https://sandbox.example.com", "description": "Sandbox"}"#, "testSandbox"),
            (#"{"url": "https://x.example.com", "description": "The staging environment (no mails)."}"#, "testStaging"),
            (#"{"url": "https://eu.example.com", "description": "Test server: EU"}"#, "testEu"),
            (#"{"url": "https://eu.example.com", "description": "Use this one if your users are in Asia"}"#, "testEu"),
            (#"{"url": "https://eu.example.com", "description": "https://eu.example.com"}"#, "testEu"),
            (#"{"url": "https://eu.example.com/"}"#, "testEu"), (#"{"url": "http://localhost:8080"}"#, "testLocalhost"),
            (#"{"url": "https://api.example.com/v2"}"#, "testV2"),
            (#"{"url": "https://api.example.com:8443"}"#, "test8443"),
            (#"{"url": "https://www.api.example.com"}"#, "test2"),
        ] as [(String, String)])
    func otherServersAreNamedAfterTheirDescriptionOrURL(server: String, name: String) throws {
        let (code, notes) = try generate("\(Self.main), \(server)")
        #expect(code.contains(#"static let test = APIBase("https://api.example.com")"#))
        #expect(code.contains("static let \(name) = APIBase(\"http"))
        #expect(code.contains(".based(at: .\(name), insteadOf: .test)"))
        #expect(notes.isEmpty)
    }

    @Test(
        arguments: [
            ("Sandbox", ": Sandbox."), ("For tests. Not for anything else.", ": For tests."), ("", "."),
            (String(repeating: "long ", count: 20), "."),
        ] as [(String, String)])
    func commentHasTheBeginningOfTheDescription(description: String, end: String) throws {
        let server = #"{"url": "https://b.example.com", "description": "\#(description)"}"#
        let (code, _) = try generate("\(Self.main), \(server)")
        #expect(code.contains("/// The base of the A API on another server\(end)\n"))
    }

    @Test func firstHundredServersAreGenerated() throws {
        let servers = (0..<102).map { #"{"url": "https://s\#($0).example.com"}"# }
        let (code, notes) = try generate(servers.joined(separator: ", "))
        #expect(code.matches(of: /static let/).count == 100)
        #expect(notes == ["2 servers after the first 100"])
    }

    @Test func serversOfTheSameNameGetNumbers() throws {
        let (code, _) = try generate(
            Self.main + #", {"url": "https://a.example.com", "description": "Sandbox"}, "#
                + #"{"url": "https://b.example.com", "description": "Sandbox"}, {"url": "https://a.example.com/"}"#)
        #expect(code.contains(#"static let testSandbox = APIBase("https://a.example.com")"#))
        #expect(code.contains(#"static let testSandbox2 = APIBase("https://b.example.com")"#))
        #expect(code.matches(of: /static let/).count == 3)
    }

    @Test func theVersionOfAllPathsBelongsToEachServer() throws {
        let (code, _) = try generate(
            Self.main + #", {"url": "https://{region}.example.com/", "variables": {"region": {"default": "eu"}}}"#,
            path: "/v1/a")
        #expect(code.contains(#""https://api.example.com/v1""#))
        #expect(code.contains(#""https://eu.example.com/v1""#))
        #expect(code.contains(#""https://\(region).example.com/v1""#))
    }

    // MARK: - The main server

    @Test(
        arguments: [
            (#"{"url": "http://api.example.com"}, {"url": "https://api.example.com"}"#, "https://api.example.com"),
            (#"{"url": "/"}, {"url": "https://api.example.com"}"#, "https://api.example.com"),
            (#"{"url": "http://api.example.com"}"#, "http://api.example.com"),
            (#"{"url": "/v1"}"#, "https://api.example.com"),
            ("", "https://api.example.com"),
        ] as [(String, String)])
    func mainServerIsTheFirstAbsoluteOneAndOverHTTPSIfItCanBe(servers: String, url: String) throws {
        let (code, notes) = try generate(servers)
        #expect(code.contains("static let test = APIBase(\"\(url)\")"))
        #expect(code.matches(of: /static let/).count == 1)
        let areAllUsed = servers.contains("{") && !servers.contains(",") && !servers.contains("/v1")
        #expect(notes.count == (areAllUsed ? 0 : 1))
    }

    // MARK: - Variables

    @Test func valuesOfAVariableAreAnEnum() throws {
        let region = #"{"default": "us-1", "enum": ["eu", "us-1", "self", "us_1", "eu"]}"#
        let (code, _) = try generate(
            #"{"url": "https://{data_region}.example.com", "variables": {"data_region": \#(region)}}"#)
        #expect(code.contains("static func test(dataRegion: TestDataRegion = .us1) -> APIBase {"))
        #expect(code.contains(#"APIBase("https://\(dataRegion.rawValue).example.com")"#))
        #expect(code.contains("enum TestDataRegion: String, CaseIterable, Sendable {"))
        #expect(code.contains(#"case eu, us1 = "us-1", selfValue = "self", us12 = "us_1""#))
        #expect(!code.contains("checked"))
    }

    @Test func serversShareAnEnumOfTheSameValues() throws {
        func server(_ host: String, _ values: String) -> String {
            let region = #"{"default": "eu", "enum": [\#(values)]}"#
            return #"{"url": "https://{region}.\#(host).example.com", "variables": {"region": \#(region)}}"#
        }
        let (code, _) = try generate(
            "\(server("a", #""eu", "us""#)), \(server("b", #""eu", "us""#)), \(server("c", #""eu", "asia""#))")
        #expect(code.matches(of: /enum TestRegion/).count == 2)
        #expect(code.contains("static func testB(region: TestRegion = .eu)"))
        #expect(code.contains("static func testC(region: TestRegion2 = .eu)"))
    }

    @Test(
        arguments: [
            ("https://{x}.example.com", "a", "-."), ("https://api.{x}", "a.example", "-."),
            ("https://{x}/v1", "a.example:80", "-.:"), ("https://a.example:{x}/v1", "80", ""),
            ("https://a.example/{x}", "v1", "-._~/"), ("https://a.example/v1/{x}/b", "v1/c", "-._~/"),
            ("{x}://a.example", "https", ""), ("http{x}://a.example", "s", ""),
            ("{x}/v1", "https://a.example", "-._~:/"),
            ("https://{x}{y}", "a", "-."), ("https://api.{x}", "a.example:80", "-.:"),
            ("https://a.example{x}", ".org", "-."),
        ] as [(String, String, String)])
    func textsHaveOnlySignsOfTheirPartOfTheURL(url: String, value: String, signs: String) throws {
        let variables = #"{"x": {"default": "\#(value)"}, "y": {"default": ".example"}}"#
        let (code, notes) = try generate(#"{"url": "\#(url)", "variables": \#(variables)}"#)
        #expect(code.contains(#"let x = checked(x, signs: "\#(signs)", else: "{x}")"#))
        #expect(code.contains("(x: String = \"\(value)\""))
        #expect(notes.isEmpty)
    }

    @Test(arguments: ["/v2", "a@b", "a b", ""])
    func defaultValueThatIsNoTextForItsPlaceStays(value: String) throws {
        let variables = #"{"x": {"default": "\#(value)"}}"#
        let (code, notes) = try generate(#"{"url": "https://a.example{x}", "variables": \#(variables)}"#)
        #expect(!code.contains("static func"))
        #expect(code.contains("https://a.example\(value)\""))
        #expect(notes == ["variable x of a server always has its default value"])
    }

    @Test func textMayBeEmptyOnlyIfItsDefaultValueIs() throws {
        let variables = #"{"x": {"default": ""}, "y": {"default": "b"}}"#
        let (code, _) = try generate(#"{"url": "https://a.example/{x}/{y}", "variables": \#(variables)}"#)
        #expect(code.contains(#"let x = x.isEmpty ? "" : checked(x, signs: "-._~/", else: "{x}")"#))
        #expect(code.contains(#"let y = checked(y, signs: "-._~/", else: "{y}")"#))
    }

    @Test func variableThatIsNotDescribedIsARequiredText() throws {
        let (code, _) = try generate(#"{"url": "https://{tenant}.example.com"}"#)
        #expect(code.contains(#"static let test = APIBase("https://{tenant}.example.com")"#))
        #expect(code.contains("static func test(tenant: String) -> APIBase {"))
    }

    @Test func variablesOfAServerWithTheURLOfAnotherHaveAFunction() throws {
        let variables = #"{"host": {"default": "api.example.com"}}"#
        let (code, _) = try generate(Self.main + #", {"url": "https://{host}", "variables": \#(variables)}"#)
        #expect(code.matches(of: /static let/).count == 1)
        #expect(code.contains(#"static func test(host: String = "api.example.com") -> APIBase {"#))
    }

    @Test func functionIsGeneratedOnceForEachSetOfLabels() throws {
        let server = #"{"url": "https://{x}.example.com", "variables": {"x": {"default": "a"}}}"#
        let (code, _) = try generate("\(server), \(server.replacing("{x}.", with: "a.{x}."))")
        #expect(code.matches(of: /static func test\(x/).count == 1)
        #expect(try generate("\(server), \(server)").code.matches(of: /static func test\(x/).count == 1)
    }

    @Test(arguments: ["default", "checked", "commonHeaders", "self"])
    func parametersHaveNamesThatTheFunctionCanUse(name: String) throws {
        let server = #"{"url": "https://{\#(name)}.example.com", "variables": {"\#(name)": {"default": "a"}}}"#
        let (code, _) = try generate(server)
        #expect(code.contains(#/static func test\((defaultValue|checked2|commonHeaders2|selfValue): String/#))
    }

    @Test func basesDoNotHaveTheNamesOfPrivateDeclarations() throws {
        let header = #"{"name": "X-Version", "in": "header", "schema": {"default": "2"}}"#
        let operation = #"{"parameters": [\#(header)], "responses": {"204": {}}}"#
        let own = #"{"servers": [{"url": "https://headers.example.org"}], "parameters": [\#(header)]}"#
        let servers = #"\#(Self.main), {"url": "https://headers.example.com"}"#
        let paths = #"{"/a": {"get": \#(operation)}, "/b": {"get": \#(own)}}"#
        let description = ErrorTests.head + #""servers": [\#(servers)], "paths": \#(paths)}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(description, to: "api.json")
        let plan = try Generation.plan(file, options: Plan.Options(name: "Common"))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let code = try #require(files.first { $0.path == "CommonAPI.swift" }).text
        #expect(code.matches(of: /let commonHeaders[ :]/).count == 1)
        #expect(code.contains(#"static let commonHeaders2 = APIBase("https://headers.example.org""#))
        #expect(code.contains(#"static let commonHeaders3 = APIBase("https://headers.example.com""#))
    }

    @Test func versionOfPathsIsNotAppendedToAQuery() throws {
        let (code, _) = try generate(#"{"url": "https://api.example.com/x?key=1"}"#, path: "/v1/a")
        #expect(code.contains(#"APIBase("https://api.example.com/x?key=1")"#))
    }

    @Test func enumDoesNotHideATypeOfTheLibrary() throws {
        let variables = #"{"headers": {"default": "a", "enum": ["a", "b"]}}"#
        let (code, _) = try generate(
            #"{"url": "https://{headers}.example.com", "variables": \#(variables)}"#, name: "HTTP")
        #expect(code.contains("enum HTTPHeaders2: String"))
    }
}
