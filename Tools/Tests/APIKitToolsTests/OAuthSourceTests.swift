import Foundation
import Testing

@testable import APIKitTools

/// The sources of tokens that are generated for OAuth 2.0 with `--oauth`.
@Suite struct OAuthSourceTests {
    private static let page = #""authorizationUrl": "https://a.example/authorize""#
    private static let token = #""tokenUrl": "https://a.example/token""#
    private static let device = #""deviceAuthorizationUrl": "https://a.example/device""#
    private static let scopes = #""scopes": {"notes:write": "", "notes:read": "Reads notes."}"#

    private static let paths = #"{"/a": {"get": {"responses": {"204": {}}}}}"#

    /// The code of a description with security schemes: the file with the sources, which is nil without sources, all
    /// other files, and the notes about OAuth.
    private func generate(
        _ schemes: String, servers: String = #"[{"url": "https://a.example/v1"}]"#, paths: String = Self.paths,
        models: String = "{}", isPublic: Bool = false, writesSource: Bool = true
    ) throws -> (source: String?, others: String, notes: [String]) {
        let description =
            ErrorTests.head + #""servers": \#(servers), "#
            + #""components": {"securitySchemes": {\#(schemes)}, "schemas": \#(models)}, "paths": \#(paths)}"#
        let folder = try TemporaryFolder()
        let file = try folder.write(description, to: "api.json")
        let plan = try Generation.plan(
            file, options: Plan.Options(name: "Test", isPublic: isPublic, writesOAuthSource: writesSource))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let source = files.first { $0.path == "TestOAuthSource.swift" }
        let others = files.filter { $0.path != "TestOAuthSource.swift" }.map(\.text).joined()
        let notes = plan.api.notes.map { "\($0.kind.rawValue): \($0.text)" }.filter { !$0.contains("server URL") }
        return (source?.text, others, notes.sorted())
    }

    private func scheme(_ flows: String, name: String = "flow") -> String {
        #""\#(name)": {"type": "oauth2", "flows": {\#(flows)}}"#
    }

    // MARK: - The file

    @Test func sourceIsWrittenOnlyIfItIsWanted() throws {
        let flows = scheme(#""authorizationCode": {\#(Self.page), \#(Self.token)}"#)
        let (source, others, notes) = try generate(flows, writesSource: false)
        #expect(source == nil)
        #expect(others.contains("`apikit endpoints --oauth` writes a source that obtains it."))
        #expect(!others.contains("import APIKitOAuth") && !others.contains("OAuth.test"))
        #expect(notes.isEmpty)
        let wanted = try generate(flows)
        #expect(
            wanted.source?.hasPrefix("import APIKit\nimport APIKitOAuth\n\nnonisolated extension OAuth {\n") == true)
        #expect(wanted.others.contains("and `OAuth.test(clientID:flow:)` obtains it."))
        #expect(wanted.others.contains("/// With `OAuth.test(clientID:flow:)` in place of `.test(token:)`, the client"))
        #expect(!wanted.others.contains("import APIKitOAuth"))
    }

    @Test func sourceOfPublicCodeIsPublic() throws {
        let source = try generate(scheme(#""clientCredentials": {\#(Self.token)}"#), isPublic: true).source
        #expect(source?.hasPrefix("public import APIKit\npublic import APIKitOAuth\n") == true)
        #expect(source?.contains("    public static func test(\n") == true)
    }

    @Test func modelsDoNotHideTypesOfTheSource() throws {
        let models = #"{"OAuth": {"type": "object", "properties": {"a": {"type": "string"}}}}"#
        let content = ##"{"application/json": {"schema": {"$ref": "#/components/schemas/OAuth"}}}"##
        let paths = #"{"/a": {"get": {"responses": {"200": {"content": \#(content)}}}}}"#
        let flows = scheme(#""clientCredentials": {\#(Self.token)}"#)
        let usual = try generate(flows, paths: paths, models: models, writesSource: false)
        #expect(usual.others.contains("struct OAuth: "))
        #expect(try !generate(flows, paths: paths, models: models).others.contains("struct OAuth: "))
    }

    @Test func missingSchemeIsInTheSummary() throws {
        let (source, _, notes) = try generate("")
        #expect(source == nil)
        #expect(notes == ["skipped: OAuth source, since no security scheme says where tokens are issued"])
    }

    // MARK: - Flows

    @Test func sourceHasTheURLsOfAllFlowsWithTheSameTokenURL() throws {
        let (source, others, notes) = try generate(
            scheme(
                #""authorizationCode": {\#(Self.page), \#(Self.token), \#(Self.scopes)}, "#
                    + #""deviceAuthorization": {\#(Self.device), \#(Self.token)}, "#
                    + #""implicit": {\#(Self.page)}"#))
        // As if the lines of comments were not broken.
        let code = try #require(source).replacing("\n    /// ", with: " ")
        #expect(code.matches(of: /static func/).count == 1)
        for line in [
            "authorization: TestOAuth.authorizationURL", "token: TestOAuth.tokenURL",
            "deviceAuthorization: TestOAuth.deviceAuthorizationURL", "scopes: [TestOAuth.Scope] = [],",
            "scopes: scopes.map(\\.rawValue) + otherScopes,",
            "flows `.authorizationCode` and `.deviceCode`. Use them in place of `implicit`, which is not secure",
            #"clientID: "my-app", scopes: [.notesRead], flow: .authorizationCode(present: .browser))"#,
        ] { #expect(code.contains(line), "\(line)") }
        #expect(others.contains("static let deviceAuthorizationURL = \"https://a.example/device\""))
        #expect(notes.isEmpty)
    }

    @Test func deviceCodeIsShownIfThereIsNoPage() throws {
        let source = try generate(scheme(#""deviceAuthorization": {\#(Self.device), \#(Self.token)}"#)).source
        #expect(source?.contains("flow: .deviceCode { print($0.verificationURL, $0.userCode) })") == true)
        #expect(source?.contains("        scopes: [String] = [],\n") == true)
        #expect(source?.contains("otherScopes") == false)
    }

    @Test func programWithoutAUserHasToAuthenticateItself() throws {
        let source = try generate(scheme(#""clientCredentials": {\#(Self.token)}"#)).source
        #expect(source?.contains("        authentication: ClientAuthentication,\n") == true)
        #expect(source?.contains("            flow: .clientCredentials,\n") == true)
        #expect(source?.contains("flow: OAuthFlow") == false)
    }

    @Test func severalSourcesHaveTheNamesOfTheirSchemesOrFlows() throws {
        let machine = #""clientCredentials": {"tokenUrl": "https://a.example/machine"}"#
        let user = #""authorizationCode": {\#(Self.page), \#(Self.token)}"#
        let flows = try generate(scheme("\(user), \(machine)")).source
        #expect(flows?.contains("static func testAuthorizationCode(") == true)
        #expect(flows?.contains("static func testClientCredentials(") == true)
        #expect(flows?.contains("token: TestOAuth.clientCredentialsTokenURL)") == true)
        let schemes = try generate("\(scheme(user, name: "user_auth")), \(scheme(machine, name: "machine"))").source
        #expect(schemes?.contains("static func testUser(") == true)
        #expect(schemes?.contains("static func testMachine(") == true)
        let same = try generate("\(scheme(user, name: "user_auth")), \(scheme(user, name: "admin"))").source
        #expect(same?.contains("static func test(") == true)
    }

    @Test func sourceOfSeveralSchemesIsNamedForTheTokenOfEach() throws {
        let flow = #""clientCredentials": {\#(Self.token)}"#
        let paths = ["user", "admin"].map {
            #""/\#($0)": {"get": {"security": [{"\#($0)": []}], "responses": {"204": {}}}}"#
        }
        let (source, others, _) = try generate(
            "\(scheme(flow, name: "user")), \(scheme(flow, name: "admin"))",
            paths: "{\(paths.joined(separator: ", "))}")
        #expect(source?.matches(of: /static func test\(/).count == 1)
        #expect(others.matches(of: /`OAuth\.test\(clientID:authentication:\)` obtains it/).count == 2)
    }

    @Test(
        arguments: [
            (#""implicit": {\#(page)}"#, "implicit, which is not secure (RFC 9700): flow"),
            (#""password": {\#(token)}"#, "password, which is not secure (RFC 9700): flow"),
            (#""authorizationCode": {\#(page)}"#, "authorizationCode without tokenUrl: flow"),
            (#""authorizationCode": {}"#, "authorizationCode without authorizationUrl and tokenUrl: flow"),
            (#""own": {\#(token)}"#, "own: flow"),
        ] as [(String, String)])
    func flowWithoutASourceIsInTheSummary(flow: String, note: String) throws {
        let (source, others, notes) = try generate(scheme(flow))
        #expect(source == nil)
        #expect(notes == ["skipped: OAuth source for the flow \(note)"])
        #expect(others.contains("is not secure (RFC 9700). Look for the URLs") == note.contains("not secure"))
    }

    // MARK: - URLs

    @Test(
        arguments: [
            ("https://a.example/.well-known/openid-configuration", "https://a.example"),
            ("https://a.example/t/1/.well-known/openid-configuration", "https://a.example/t/1"),
            ("https://a.example/.well-known/oauth-authorization-server/t/1", "https://a.example/t/1"),
            ("/.well-known/openid-configuration", "https://a.example"),
            ("https://a.example/configuration", nil), ("https://a.example/.well-known/openid-configuration?p=1", nil),
        ] as [(String, String?)])
    func issuerIsWhatItsMetadataBelongsTo(url: String, issuer: String?) throws {
        let openID = #""login": {"type": "openIdConnect", "openIdConnectUrl": "\#(url)"}"#
        let oauth = #""login": {"type": "oauth2", "oauth2MetadataUrl": "\#(url)", "flows": {}}"#
        for scheme in [openID, oauth] {
            let (source, _, notes) = try generate(scheme)
            if let issuer {
                #expect(source?.contains("            issuer: \"\(issuer)\",\n") == true)
                #expect(notes.isEmpty)
            } else {
                #expect(source == nil)
                #expect(notes.first?.contains("is not a well-known URL: \(url)") == true)
            }
        }
    }

    @Test func relativeURLsAreThoseOfTheServer() throws {
        let flow = scheme(#""clientCredentials": {"tokenUrl": "/token"}"#)
        let (_, others, notes) = try generate(flow)
        #expect(others.contains(#"static let tokenURL = "https://a.example/token""#))
        #expect(notes.isEmpty)
        let unknown = try generate(flow, servers: "[]").notes
        #expect(unknown == ["simplified: OAuth sources refuse to sign in, since tokenUrl is not an https URL: /token"])
    }

    @Test(
        arguments: [
            ("https://a.example/token", true), ("HTTPS://a.example/token", true), ("http://localhost:80/token", true),
            ("http://127.0.0.1/token", true), ("http://[::1]:80/token", true), ("http://a.example/token", false),
            ("http://localhost.a.example/token", false), ("http://localhost@a.example/token", false),
        ] as [(String, Bool)])
    func insecureURLIsInTheSummary(url: String, isSecure: Bool) throws {
        let notes = try generate(scheme(#""clientCredentials": {"tokenUrl": "\#(url)"}"#)).notes
        #expect(notes.isEmpty == isSecure)
        #expect(notes.first?.contains("since tokenUrl is not an https URL: \(url)") ?? isSecure)
        let unused = try generate(scheme(#""password": {"tokenUrl": "\#(url)"}"#)).notes
        #expect(!unused.contains { $0.contains("https") })
    }

    @Test func otherURLForRenewingIsInTheSummary() throws {
        let refresh = #""refreshUrl": "https://a.example/refresh""#
        let notes = try generate(scheme(#""clientCredentials": {\#(Self.token), \#(refresh)}"#)).notes
        #expect(
            notes == [
                "simplified: tokens are renewed at the tokenUrl, not at the refreshUrl https://a.example/refresh"
            ])
    }
}
