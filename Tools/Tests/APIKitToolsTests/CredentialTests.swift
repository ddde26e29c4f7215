import Foundation
import Testing

@testable import APIKitTools

/// What is generated for security schemes and requirements.
@Suite struct CredentialTests {
    private static let operation = #""responses": {"204": {}}"#
    private static let bearer = #""token": {"type": "http", "scheme": "bearer"}"#
    private static let key = #""app_key": {"type": "apiKey", "in": "header", "name": "X-App-Key"}"#
    private static let item = #""item": {"type": "apiKey", "in": "query", "name": "key"}"#

    /// The code of a description with security schemes, and the notes.
    private func generate(
        _ schemes: String, security: String? = nil, paths: String = #""/a": {"get": {\#(operation)}}"#,
        name: String = "Test", isPublic: Bool = false
    ) throws -> (code: String, notes: [String]) {
        let requirement = security.map { #""security": \#($0), "# } ?? ""
        let description =
            ErrorTests.head + requirement + #""components": {"securitySchemes": {\#(schemes)}}, "paths": {\#(paths)}}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(description, to: "api.json")
        let plan = try Generation.plan(file, options: Plan.Options(name: name, isPublic: isPublic))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let notes = plan.api.notes.filter { !$0.text.contains("server URL") }
        return (files.map(\.text).joined(), notes.map(\.text).sorted())
    }

    @Test func keyOfACredentialIsNeverAConstant() throws {
        let header = #"{"name": "x-app-key", "in": "header", "required": true, "schema": {"const": "example"}}"#
        let paths = #""/a": {"get": {"parameters": [\#(header)], \#(Self.operation)}}"#
        let (code, _) = try generate(Self.key, paths: paths)
        #expect(!code.contains("example\""))
        let item = header.replacing("x-app-key", with: "key").replacing(#""in": "header""#, with: #""in": "query""#)
        let pathsWithItem = #""/a": {"get": {"parameters": [\#(item)], \#(Self.operation)}}"#
        #expect(try !generate(Self.item, paths: pathsWithItem).code.contains("example\""))
        let (other, _) = try generate(Self.bearer, paths: paths)
        #expect(other.contains(#""x-app-key": "example""#))
    }

    // MARK: - Functions

    @Test(
        arguments: [
            (bearer, "test(token: String) -> Credential { .bearer(token) }"),
            (#""a": {"type": "http", "scheme": "Basic"}"#, "test(username: String, password: String) -> Credential {"),
            (key, #"test(apiKey: String) -> Credential { .header("X-App-Key", apiKey) }"#),
            (item, #"test(apiKey: String) -> Credential { .query("key", apiKey) }"#),
            (
                #""a": {"type": "openIdConnect", "openIdConnectUrl": "https://a.example/c"}"#,
                "test(token: String, expires: Date? = nil) -> Credential { .bearer(token, expires: expires) }"
            ),
        ] as [(String, String)])
    func eachKindHasAFunction(scheme: String, function: String) throws {
        let (code, notes) = try generate(scheme)
        #expect(code.contains("nonisolated extension CredentialSource where Self == Credential {"))
        #expect(code.contains("    static func \(function)"))
        #expect(notes.isEmpty)
    }

    @Test(
        arguments: [
            (
                bearer, "Create a token at https://a.example/tokens. It lasts a day.",
                "Create a token at https://a.example/tokens. It lasts a day."
            ),
            (bearer, "You get one [here](https://a.example/tokens).", "You get one [here](https://a.example/tokens)."),
            (bearer, "**Create** it in the [settings](/settings)", "Create it in the settings."),
            (bearer, "# Tokens\nCreate one at <https://a.example>.\n- first", "Create one at https://a.example."),
            (key, "The key with the format `Token token=<KEY>`", "The key with the format `Token token=<KEY>`."),
            (bearer, "Ask us.\u{2028}}\n\nimport Evil", "Ask us. Import Evil."),
            (bearer, "JWT token for API authentication", nil), (key, "API key for authentication.", nil),
            (bearer, "Enter the token with the `Bearer ` prefix.", nil), (bearer, "See the section on tokens.", nil),
            (bearer, "Read https://a.example/\(String(repeating: "a", count: 120)) about it.", nil),
            (bearer, "Ask \(String(repeating: "the owner of ", count: 30))this.", nil), (bearer, "", nil),
        ] as [(String, String, String?)])
    func descriptionOfASchemeIsQuoted(scheme: String, description: String, quotation: String?) throws {
        let text = try #require(String(bytes: JSONEncoder().encode(description), encoding: .utf8))
        let (code, _) = try generate(scheme.replacing("\"type\"", with: "\"description\": \(text), \"type\""))
        let functions = try #require(code.components(separatedBy: "extension CredentialSource").dropFirst().first)
        let comment = functions.split(separator: "\n").filter { $0.hasPrefix("    ///") }
        #expect(comment.dropFirst().dropFirst().first == quotation.map { "    /// \($0)" })
    }

    @Test func severalKeysHaveTheNamesOfTheirSchemes() throws {
        let (code, _) = try generate("\(Self.key), \(Self.item)")
        #expect(code.contains(#"static func test(appKey: String) -> Credential { .header("X-App-Key", appKey) }"#))
        #expect(code.contains(#"static func test(item: String) -> Credential { .query("key", item) }"#))
    }

    @Test func keyInAHeaderOrInTheQueryHasTwoNames() throws {
        let header = Self.key.replacing("app_key", with: "X-Api-Key")
        let (code, _) = try generate("\(header), \(Self.item.replacing("item", with: "apikey"))")
        #expect(code.contains(#"test(apiKey: String) -> Credential { .header("X-App-Key", apiKey) }"#))
        #expect(code.contains(#"test(apikeyInQuery: String) -> Credential { .query("key", apikeyInQuery) }"#))
    }

    @Test(
        arguments: [
            ("default", "defaultKey"), ("self", "selfKey"), ("init", "initKey"), ("token", "token"), ("3ds", "_3ds"),
            ("in", "inKey"), ("💥", "empty"), ("expires", "expires2"),
        ] as [(String, String)])
    func namesOfParametersAreNoKeywords(scheme: String, parameter: String) throws {
        let named = Self.item.replacing("item", with: scheme)
        #expect(try generate("\(named), \(Self.key)").code.contains("(\(parameter): String) -> Credential { .query("))
    }

    private static let flow =
        #""flow": {"type": "oauth2", "flows": {"implicit": {"authorizationUrl": "https://a.example/x"}}}"#

    @Test(arguments: [#"[{"token": []}, {"flow": ["b"]}]"#, #"[{"token": []}]"#, #"[{"flow": []}]"#, "[]"])
    func schemesThatSendTheSameShareAFunction(security: String) throws {
        let (code, _) = try generate("\(Self.bearer), \(Self.flow)", security: security)
        #expect(code.matches(of: /static func/).count == 1)
        #expect(code.contains("static func test(token: String, expires: Date? = nil)"))
        #expect(code.contains("/// The API expects a bearer token:\n"))
    }

    @Test func schemesThatRequirementsDistinguishHaveFunctions() throws {
        let schemes = ["ApiKeyAuth", "AdminApiKeyAuth", "flow"].map {
            #""\#($0)": {"type": "http", "scheme": "bearer"}"#
        }
        let paths =
            #""/a": {"get": {"security": [{"AdminApiKeyAuth": []}], \#(Self.operation)}}, "#
            + #""/b": {"get": {"security": [{"flow": []}], \#(Self.operation)}}"#
        let (code, notes) = try generate(
            schemes.joined(separator: ", "), security: #"[{"ApiKeyAuth": []}]"#, paths: paths)
        for name in ["apiKey", "adminAPIKey", "flow"] {
            #expect(code.contains("static func test(\(name): String) -> Credential { .bearer(\(name)) }"))
        }
        #expect(code.contains("/// Needs `.test(adminAPIKey:)`.\n"))
        #expect(code.contains("authorized(by: .test(apiKey: apiKey), for: .test)"))
        #expect(code.contains("    /// The description calls it AdminApiKeyAuth.\n"))
        #expect(notes.count == 2)
    }

    @Test func severalPasswordsHaveTheNamesOfTheirSchemes() throws {
        let schemes = ["admin", "user"].map { #""\#($0)": {"type": "http", "scheme": "basic"}"# }
        let (code, _) = try generate(
            schemes.joined(separator: ", "), security: #"[{"user": []}]"#,
            paths: #""/a": {"get": {"security": [{"admin": []}], \#(Self.operation)}}"#)
        #expect(code.contains("static func test(adminUsername: String, adminPassword: String) -> Credential {"))
        #expect(code.contains(".basic(user: adminUsername, password: adminPassword)"))
        #expect(code.contains(".test(userUsername: userUsername, userPassword: userPassword)"))
    }

    @Test func functionsOfPublicCodeArePublic() throws {
        let flow = #"{"type": "oauth2", "flows": {"x": {"tokenUrl": "https://a.example", "scopes": {"all": "All."}}}}"#
        let paths = #""/a": {"get": {"security": [], \#(Self.operation)}}"#
        let (code, _) = try generate(#""a": \#(flow)"#, paths: paths, isPublic: true)
        for line in [
            "    public static func test(token: String, expires: Date? = nil) -> Credential {",
            "public nonisolated enum TestOAuth {", "    public static let tokenURL = ",
            "    public enum Scope: String, CaseIterable, Sendable {",
            "    public var options: RequestOptions { RequestOptions(addsCredentials: false) }",
        ] { #expect(code.contains(line), "\(line)") }
    }

    @Test func nameOfAnAPIMayBeAKeyword() throws {
        let (code, _) = try generate(Self.bearer, name: "Default")
        #expect(code.contains("static func `default`(token: String)"))
        #expect(code.contains("authorized(by: .`default`(token: token), for: .`default`)"))
    }

    // MARK: - The comment on the base

    private static let basic = #""password": {"type": "http", "scheme": "basic"}"#

    @Test func exampleHasAKeyOrATokenRatherThanAPassword() throws {
        let security = #"[{"password": []}, {"app_key": []}, {"token": []}]"#
        let (code, _) = try generate("\(Self.basic), \(Self.key), \(Self.bearer)", security: security)
        #expect(code.contains("/// The API expects a user name and a password, or an API key in the header X-App-Key"))
        #expect(code.contains("authorized(by: .test(apiKey: key), for: .test)"))
    }

    @Test func requirementsOfOperationsReplaceThoseThatAreNotDefined() throws {
        let paths = #""/a": {"get": {"security": [{"token": []}], \#(Self.operation)}}"#
        let (code, notes) = try generate(Self.bearer, security: #"[{"missing": []}]"#, paths: paths)
        #expect(code.contains("/// The API expects a bearer token:\n"))
        #expect(!code.contains("Needs"))
        #expect(notes.isEmpty)
    }

    @Test(
        arguments: [
            (1, nil, "The API expects"), (2, nil, "The API expects"), (3, nil, "Some endpoints expect"),
            (3, "[]", "Some endpoints expect"), (3, #"[{"token": []}]"#, "The API expects"),
        ] as [(Int, String?, String)])
    func baseSaysWhetherFewEndpointsNeedCredentials(count: Int, security: String?, expected: String) throws {
        var paths = [#""/0": {"get": {"security": [{"token": []}], \#(Self.operation)}}"#]
        for index in 1..<count { paths.append(#""/\#(index)": {"get": {\#(Self.operation)}}"#) }
        let (code, _) = try generate(Self.bearer, security: security, paths: paths.joined(separator: ", "))
        #expect(code.contains("/// \(expected) a bearer token:\n"))
    }

    @Test func exampleNamesTheServersThatNeedCredentials() throws {
        func operation(_ host: String, _ security: String = "") -> String {
            #"{"servers": [{"url": "https://\#(host).example.com"}], \#(security)\#(Self.operation)}"#
        }
        let paths =
            #""/a": {"get": \#(operation("uploads")), "put": \#(operation("public", #""security": [], "#))}, "#
            + #""/b": {"get": \#(operation("uploads"))}"#
        let (code, _) = try generate(Self.bearer, security: #"[{"token": []}]"#, paths: paths)
        #expect(code.contains("authorized(by: .test(token: token), for: .test, .testUploads)\n"))
        #expect(code.contains("if you name it, too: `for: .test, .testUploads`."))
        #expect(!code.contains("for: .test, .testPublic"))
    }

    @Test func exampleDoesNotSendCredentialsWithoutEncryption() throws {
        let paths = #""/a": {"get": {"servers": [{"url": "http://old.example.com"}], \#(Self.operation)}}"#
        let servers = #""servers": [{"url": "https://api.example.com"}], "#
        let description =
            ErrorTests.head + servers + #""security": [{"token": []}], "components": {"securitySchemes": {"#
            + #"\#(Self.bearer)}}, "paths": {\#(paths)}}"#
        let code = try TemporaryFolder().files(description).map(\.text).joined()
        #expect(code.contains("authorized(by: .test(token: token), for: .test)\n"))
        #expect(code.contains("if you name it, too: `for: .test, .testHTTP`."))
    }

    @Test func baseWithoutAServerSaysThatItsURLIsMadeUp() throws {
        let (code, _) = try generate(Self.bearer)
        #expect(code.contains("    /// The description has no absolute URL: replace this one.\n"))
    }

    @Test(
        arguments: [
            (#"[{"token": []}]"#, "a bearer token:", ".authorized(by: .test(token: token), for: .test)"),
            (
                #"[{"app_key": []}, {"token": []}]"#, "an API key in the header X-App-Key, or a bearer token:",
                ".authorized(by: .test(appKey: appKey), for: .test)"
            ),
            (
                #"[{"cookie": []}, {"item": []}]"#, "the cookie sid, or an API key in the query item key:",
                ".authorized(by: .test(item: item), for: .test)"
            ),
            (
                #"[{"cookie": []}]"#, "the cookie sid, which no client of the library adds.",
                "/// The base of the A API."
            ),
            (
                #"[{"app_key": [], "token": []}]"#, "a bearer token and an API key in the header X-App-Key:",
                """
                /// let client = URLSession.api
                    ///     .authorized(by: .test(appKey: appKey), for: .test)
                    ///     .authorized(by: .test(token: token), for: .test)
                """
            ),
            (
                #"[{"missing": []}]"#, "the credential missing, which no client of the library adds.",
                "/// The base of the A API."
            ),
        ] as [(String, String, String)])
    func baseShowsAClientWithTheUsualCredentials(security: String, expected: String, client: String) throws {
        let cookie = #""cookie": {"type": "apiKey", "in": "cookie", "name": "sid"}"#
        let (code, _) = try generate("\(Self.bearer), \(Self.key), \(Self.item), \(cookie)", security: security)
        #expect(code.contains("/// The API expects \(expected)\n"))
        #expect(code.contains(client))
    }

    @Test func keysInHeadersAreNamedTogether() throws {
        let other = Self.key.replacing("app_key", with: "id").replacing("X-App-Key", with: "X-Id")
        let (code, _) = try generate(
            "\(Self.key), \(other), \(Self.bearer)", security: #"[{"app_key": [], "id": [], "token": []}]"#)
        #expect(code.contains("/// The API expects a bearer token and API keys in the headers X-App-Key and X-Id:\n"))
    }

    @Test func scopesOfMostOperationsAreNamedToo() throws {
        let paths = ["a", "a", "b"].enumerated().map { index, scope in
            #""/\#(index)": {"get": {"security": [{"token": ["\#(scope)"]}], \#(Self.operation)}}"#
        }
        let (code, notes) = try generate(Self.bearer, paths: paths.joined(separator: ", "))
        #expect(code.matches(of: /Needs the scope `a`/).count == 2)
        #expect(code.matches(of: /Needs the scope `b`/).count == 1)
        #expect(notes.isEmpty)
    }

    @Test func credentialsThatMostOperationsNeedAreTheUsualOnes() throws {
        let paths = [#"[{"item": []}]"#, #"[{"token": []}]"#, #"[{"token": []}]"#].enumerated().map { index, security in
            #""/\#(index)": {"get": {"security": \#(security), \#(Self.operation)}}"#
        }
        let (code, notes) = try generate("\(Self.bearer), \(Self.item)", paths: paths.joined(separator: ", "))
        #expect(code.contains("/// The API expects a bearer token:\n"))
        #expect(code.contains("/// Needs `.test(apiKey:)`.\n"))
        #expect(notes == ["1 endpoint needs .test(apiKey:): GET /0"])
    }

    // MARK: - Endpoints

    @Test(
        arguments: [
            ("[]", "    var options: RequestOptions { RequestOptions(addsCredentials: false) }", []),
            ("[{}]", "    var options: RequestOptions { RequestOptions(addsCredentials: false) }", []),
            (#"[{}, {"token": []}]"#, "/// Credentials are optional.\n", []),
            (#"[{"token": ["a", "b"]}]"#, "/// Needs the scopes `a` and `b`.\n", []),
            (#"[{"token": ["a"]}, {"token": ["b"]}]"#, "/// Needs the scopes `a` or `b`.\n", []),
            (#"[{"app_key": []}]"#, "/// Needs `.test(appKey:)`.\n", ["1 endpoint needs .test(appKey:): GET /a"]),
            (
                #"[{"app_key": [], "item": []}, {"no": []}]"#,
                "/// Needs `.test(appKey:)` and `.test(item:)`, or the credential no.\n",
                ["1 endpoint needs .test(appKey:) and .test(item:), or the credential no: GET /a"]
            ),
        ] as [(String, String, [String])])
    func endpointSaysWhichOtherCredentialsItNeeds(security: String, line: String, expected: [String]) throws {
        let paths = #""/a": {"get": {"security": \#(security), \#(Self.operation)}}"#
        let (code, notes) = try generate(
            "\(Self.bearer), \(Self.key), \(Self.item)", security: #"[{"token": []}]"#, paths: paths)
        #expect(code.contains(line))
        #expect(notes == expected)
    }

    @Test(arguments: [
        #"[{"token": []}]"#, #"[{"token": []}, {"unknown": []}]"#, #""token""#, #"["token"]"#, "[1]", "{}",
    ])
    func requirementsThatAreUsualOrCannotBeReadChangeNothing(security: String) throws {
        let (code, notes) = try generate(
            Self.bearer, security: #"[{"token": []}]"#,
            paths: #""/a": {"get": {"security": \#(security), \#(Self.operation)}}"#)
        #expect(!code.contains("Needs") && !code.contains("options"))
        #expect(code.contains("struct ARequest"))
        #expect(notes.isEmpty)
    }

    @Test func tooManyRequirementsAreIgnored() throws {
        let alternatives = (0..<101).map { #"{"token": ["\#($0)"]}"# }.joined(separator: ", ")
        let together = (0..<21).map { #""s\#($0)": []"# }.joined(separator: ", ")
        for (security, note) in [
            ("[\(alternatives)]", "101 security requirements are ignored"),
            ("[{\(together)}]", "a security requirement with 21 schemes is ignored"),
        ] {
            let (code, notes) = try generate(
                Self.bearer, paths: #""/a": {"get": {"security": \#(security), \#(Self.operation)}}"#)
            #expect(notes == [note])
            #expect(!code.contains("Needs"))
        }
    }

    // MARK: - What cannot be sent

    @Test func credentialsThatClientsDoNotAddAreCountedByKind() throws {
        let schemes = [
            #""a": {"type": "apiKey", "in": "cookie", "name": "x"}"#,
            #""b": {"type": "apiKey", "in": "cookie", "name": "y"}"#, #""c": {"type": "http", "scheme": "digest"}"#,
            #""d": {"type": "mutualTLS"}"#, #""e": {"type": "apiKey", "in": "header", "name": "X Key"}"#,
            #""f": {"type": "own"}"#, ##""g": {"$ref": "#/nowhere"}"##,
        ]
        let (code, notes) = try generate(schemes.joined(separator: ", "))
        #expect(
            notes == [
                "1 credential in HTTP authentication with the scheme digest, which clients do not add: c",
                "1 credential in a certificate of the client (mutual TLS), which clients do not add: d",
                "1 credential in a header with an invalid name, which clients do not add: e",
                "1 credential in the type own, which clients do not add: f",
                "2 credentials in a cookie, which clients do not add: a, b",
                "security scheme g: the reference #/nowhere leads nowhere",
            ])
        #expect(!code.contains("CredentialSource"))
    }

    @Test func twoCredentialsInOneHeaderAreInTheSummary() throws {
        let basic = #""basic": {"type": "http", "scheme": "basic"}"#
        let (code, notes) = try generate(
            "\(Self.bearer), \(basic)", security: #"[{"token": [], "basic": []}, {"basic": []}]"#)
        #expect(notes == ["several credentials in one header: basic, token"])
        #expect(code.contains("authorized(by: .test(username: username, password: password), for: .test)"))
    }

    // MARK: - OAuth

    @Test func differentURLsOfFlowsHaveTheNamesOfTheFlows() throws {
        let flows = ##"""
            "flow": {"type": "oauth2", "flows": {
            "clientCredentials": {"tokenUrl": "https://a.example/machine", "scopes": {"x/y:read": "Reads all y."}},
            "authorizationCode": {"authorizationUrl": "https://a.example/authorize", "tokenUrl": "https://a.example/user",
            "scopes": {"https://a.example/auth/drive.file": "", "x/y:read": "Reads it."}}}}
            """##
        let (code, _) = try generate(flows)
        for line in [
            #"static let authorizationURL = "https://a.example/authorize""#,
            #"static let authorizationCodeTokenURL = "https://a.example/user""#,
            #"static let clientCredentialsTokenURL = "https://a.example/machine""#,
            #"case driveFile = "https://a.example/auth/drive.file""#, #"case xYRead = "x/y:read""#,
        ] { #expect(code.contains(line), "\(line)") }
    }

    // MARK: - Headers of all requests

    @Test(
        arguments: [
            (#"{"const": "2"}"#, #"{"enum": ["2"]}"#, "2"), (#"{"default": "2"}"#, #"{"default": "2"}"#, "2"),
            (#"{"type": "integer", "enum": [2]}"#, #"{"type": "integer", "default": 2}"#, "2"),
            (#"{"default": true}"#, #"{"default": true}"#, "true"), (#"{"const": "2"}"#, #"{"const": "3"}"#, nil),
            (#"{"const": "2"}"#, "{}", nil), (#"{"enum": ["2", "3"], "default": "2"}"#, #"{"default": "2"}"#, nil),
        ] as [(String, String, String?)])
    func headerThatAlwaysHasTheSameValueBelongsToTheBase(first: String, second: String, value: String?) throws {
        func path(_ name: String, _ schema: String) -> String {
            let parameter = #"{"name": "\#(name == "a" ? "X-Api" : "x-api")", "in": "header", "schema": \#(schema)}"#
            return #""/\#(name)": {"get": {"parameters": [\#(parameter)], \#(Self.operation)}}"#
        }
        let (code, _) = try generate("", paths: path("a", first) + ", " + path("b", second))
        let isMoved = code.contains(#"headers: ["X-Api": "#) || code.contains(#"headers: ["x-api": "#)
        #expect(isMoved == (value != nil))
        #expect(code.contains("var xAPI") == (value == nil))
        if let value { #expect(code.contains(": \"\(value)\"])")) }
    }

    @Test(arguments: ["X-App-Key", "X-Auth-Token", "Idempotency-Key"])
    func headerThatMayBeACredentialOrDiffersStaysAParameter(name: String) throws {
        let parameter = #"{"name": "\#(name)", "in": "header", "schema": {"type": "string", "default": "secret"}}"#
        let operation = #"{"post": {"parameters": [\#(parameter)], \#(Self.operation)}}"#
        let (code, _) = try generate(Self.key, paths: #""/a": \#(operation), "/b": \#(operation)"#)
        #expect(!code.contains("secret"))
        #expect(code.contains("var headers: HTTPHeaders {"))
    }
}
