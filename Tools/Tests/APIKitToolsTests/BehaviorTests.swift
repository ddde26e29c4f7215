import Foundation
import Testing

@testable import APIKitTools

/// What extensions and behavior models say of retries and idempotency.
@Suite struct BehaviorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Generates the operations of a path.
    private func generate(
        _ methods: String, root: String = "", model: String? = nil
    ) throws -> (code: String, notes: [String]) {
        let more = root.isEmpty ? "" : "\(root), "
        let source = try folder.write(
            ErrorTests.head + #"\#(more)"paths": {"/a": {\#(methods)}}}"#, to: "api.json")
        let modelFile = try model.map { try folder.write($0, to: "model.json") }
        let api = try APIReader.read(Documents(source), behaviorModel: modelFile)
        let plan = Plan(api, options: Plan.Options(name: "Test"))
        let files = try SourceWriter(plan: plan, filter: Filter([])).files()
        let notes = SummaryLines(plan.api.notes).ofEachKind.filter { !$0.contains("URL") }
        return (files.map(\.text).joined(), notes)
    }

    /// The line with the options of an endpoint, or of the base.
    private func options(_ code: String) -> String? {
        let line = code.split(separator: "\n").first { $0.contains("RequestOptions(") }
        return line.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    // MARK: - Retries

    @Test(
        arguments: [
            (#""x-retry": {"maxAttempts": 3, "retryOn": [429, 503]}"#, ".init(attempts: 3, statuses: [429, 503])"),
            (#""x-my-shop-retries": {"max_retries": 2}"#, ".init(attempts: 3)"),
            (#""x-shop-retry": {"max": 0}"#, ".never"),
            (#""x-fern-retries": {"disabled": true}"#, ".never"),
            (#""x-speakeasy-retries": {"strategy": "none"}"#, ".never"),
            (
                #""x-speakeasy-retries": {"strategy": "backoff", "statusCodes": ["5XX"]}"#,
                ".init(statuses: Set(500...599))"
            ),
            (
                #""x-shop-retry": {"statusCodes": ["408", 429, "5xx", "4XX"]}"#,
                ".init(statuses: Set(400...499).union(500...599))"
            ),
            (#""x-shop-retry": {"statusCodes": ["408", "5xx"]}"#, ".init(statuses: Set(500...599).union([408]))"),
            (#""x-shop-retry": {"max": 9223372036854775807}"#, ".init(attempts: 9_223_372_036_854_775_807)"),
            // That of the API comes before those for certain generators.
            (#""x-fern-retries": {"disabled": true}, "x-shop-retry": {"max": 2}"#, ".init(attempts: 2)"),
        ] as [(String, String)])
    func retriesAreOptions(extensions: String, code: String) throws {
        // Of two endpoints, one is not most of them, so the base has no options.
        let result = try generate(#""get": {\#(extensions)}, "put": {}"#)
        #expect(
            options(result.code) == "var options: RequestOptions { RequestOptions(retries: \(code)) }", "\(extensions)")
        #expect(!result.notes.contains { $0.hasPrefix("not used") })
    }

    @Test(arguments: [
        #""x-retry": "not_idempotent""#, #""x-retry": true"#, #""x-retry": {}"#, #""x-retry": {"max": "3"}"#,
        #""x-retry": {"retryOn": [42]}"#, #""x-retry": {"retryOn": [null]}"#, #""x-retry": {"retryOn": []}"#,
        #""x-retry": {"maxRetries": 9223372036854775807}"#, #""x-retry": {"max": 1e999}"#, #""x-retry": null"#,
        #""x-ratelimit": {"max": 3}"#,
    ])
    func otherStatementsAreNotUsed(extensions: String) throws {
        let result = try generate(#""get": {\#(extensions)}, "put": {}"#)
        #expect(options(result.code) == nil)
        let name = extensions.split(separator: "\"")[0]
        #expect(result.notes == ["not used: \(name), 1 place"])
    }

    @Test(
        arguments: [
            (#"{"maxAttempts": "3", "retryOn": [429]}"#, "maxAttempts"),
            (#"{"maxAttempts": 3, "retryOn": [429, "often"]}"#, "retryOn"),
            (#"{"max": 3, "disabled": "true"}"#, "disabled"),
        ] as [(String, String)])
    func membersThatCannotBeReadAreNamed(value: String, member: String) throws {
        let result = try generate(#""get": {"x-shop-retry": \#(value)}, "put": {}"#)
        #expect(options(result.code) != nil)
        #expect(result.notes.map { $0.contains("x-shop-retry is read without \(member)") } == [true])
    }

    @Test func baseHasTheOptionsOfMostEndpoints() throws {
        func operation(_ attempts: Int) -> String { #"{"x-retry": {"max": \#(attempts), "retryOn": [503]}}"# }
        let (code, _) = try generate(
            #""get": \#(operation(3)), "put": \#(operation(3)), "post": \#(operation(1)), "patch": {}"#)
        #expect(code.contains(#"options: RequestOptions(retries: .init(attempts: 3, statuses: [503]))"#))
        #expect(code.components(separatedBy: "var options").count == 2)
        #expect(code.contains("var options: RequestOptions { RequestOptions(retries: .never) }"))
    }

    @Test func extensionAtTheRootIsAboutAllOperations() throws {
        let (code, notes) = try generate(
            #""get": {"x-fern-retries": {"disabled": true}}, "put": {}, "post": {}"#,
            root: #""x-speakeasy-retries": {"strategy": "backoff", "statusCodes": [503], "backoff": {"exponent": 2}}"#)
        #expect(code.contains(#"options: RequestOptions(retries: .init(statuses: [503]))"#))
        #expect(code.contains("var options: RequestOptions { RequestOptions(retries: .never) }"))
        #expect(
            notes == [
                "simplified: x-speakeasy-retries is read without backoff, api.json, line 1, /x-speakeasy-retries"
            ])
    }

    // MARK: - Idempotency

    private static let headers = #""x-fern-idempotency-headers": [{"header": "idempotency-key", "name": "key"}]"#

    @Test(
        arguments: [
            (#""x-idempotent": true"#, "", "isIdempotent: true"),
            (#""x-shop-idempotent": {"natural": true}"#, "", "isIdempotent: true"),
            (#""x-shop-idempotency": {"keySupported": true}"#, "", "sendsIdempotencyKey: true"),
            (#""x-fern-idempotent": true"#, headers, "sendsIdempotencyKey: true"),
            (#""x-shop-idempotency": true"#, headers, "sendsIdempotencyKey: true"),
            (
                #""security": [], "x-idempotent": true, "x-retry": {"max": 9, "retryOn": [429, 500, 502, 503, 504, 529]}"#,
                "", "isIdempotent: true,"
            ),
        ] as [(String, String, String)])
    func idempotencyIsAnOption(extensions: String, root: String, code: String) throws {
        let result = try generate(#""post": {\#(extensions)}, "get": {}, "head": {}"#, root: root)
        #expect(result.code.contains(code))
        #expect(!result.notes.contains { $0.hasPrefix("not used") })
    }

    @Test(
        arguments: [
            // The methods are idempotent anyway.
            (#""put": {"x-idempotent": true}"#, []), (#""delete": {"x-shop-idempotent": {"keySupported": true}}"#, []),
            (#""post": {"x-idempotent": false}"#, []), (#""post": {"x-idempotent": {"natural": false}}"#, []),
            // The library sends the header with the standard name only.
            (#""post": {"x-idempotent": {"keySupported": true, "keyHeader": "X-Key"}}"#, ["x-idempotent"]),
            (#""post": {"x-fern-idempotent": true}"#, ["x-fern-idempotent"]),
            (#""post": {"x-idempotent": {}}"#, ["x-idempotent"]),
            (#""post": {"x-idempotent": "yes"}"#, ["x-idempotent"]),
        ] as [(String, [String])])
    func idempotencyThatTheMethodHasOrThatIsUnknownIsNoOption(operation: String, unused: [String]) throws {
        let result = try generate(operation)
        #expect(options(result.code) == nil)
        #expect(result.notes == unused.map { "not used: \($0), 1 place" })
    }

    @Test func propertyForTheKeyNeedsNoOption() throws {
        let header = #"{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}"#
        let (code, _) = try generate(#""post": {"parameters": [\#(header)], "x-idempotent": {"keySupported": true}}"#)
        #expect(code.contains("var idempotencyKey = UUID()"))
        #expect(options(code) == nil)
    }

    @Test func optionsThatAreTooLongForALineAreInSeveral() throws {
        let statuses = (500...520).map(String.init).joined(separator: ", ")
        let (code, _) = try generate(
            #""post": {"x-idempotent": true, "x-retry": {"max": 2, "retryOn": [\#(statuses)]}}, "get": {}"#)
        let start = """
                var options: RequestOptions {
                    RequestOptions(
                        isIdempotent: true,
                        retries: .init(attempts: 2, statuses: [500, 501,
            """
        #expect(code.contains(start))
    }

    // MARK: - Behavior models

    private static let model = #"""
        {"version": "1", "redaction": {}, "operations": {
        "find": {"readonly": true, "idempotent": false, "retry": {"max": 2, "retry_on": [503], "base_delay_ms": 9}},
        "save": {"idempotent": true, "retry": {"max": 0}, "write": {"mode": "replace"}},
        "gone": {"readonly": true}}}
        """#

    @Test func modelIsMergedWithTheExtensions() throws {
        let (code, notes) = try generate(
            #"""
            "post": {"operationId": "find", "x-retry": {"max": 7}},
            "patch": {"operationId": "save"}, "get": {"x-owner": 1}, "put": {}
            """#, model: Self.model)
        #expect(code.contains("RequestOptions(isIdempotent: true, retries: .init(attempts: 2, statuses: [503]))"))
        #expect(code.contains("RequestOptions(isIdempotent: true, retries: .never)"))
        #expect(
            notes == [
                "not used: redaction in model.json, 1 place; write in model.json, 1 place; x-owner, 1 place",
                "simplified: retry in model.json is read without base_delay_ms, model.json, line 2, "
                    + "/operations/find/retry",
                "skipped: operation gone of the behavior model, which the description does not have, model.json, "
                    + "line 4, /operations/gone",
            ])
    }

    @Test(
        arguments: [
            ("[]", "model.json, line 1: the behavior model has no operations"),
            (#"{"operations": []}"#, "model.json, line 1, /operations: expected an object, and found a list"),
            (#"{"operations": {"a": 1}}"#, "model.json, line 1, /operations/a: expected an object, and found a number"),
            ("{", "model.json, line 1: expected the name of a member in quotes"),
        ] as [(String, String)])
    func brokenModelIsAnError(model: String, message: String) throws {
        let error = #expect(throws: DescriptionError.self) { try generate(#""get": {}"#, model: model) }
        #expect(error?.description == message)
    }

    @Test func missingModelIsAnError() throws {
        let source = try folder.write(ErrorTests.head + #""paths": {"/a": {"get": {}}}}"#, to: "api.json")
        let missing = folder.url.appending(path: "none.json")
        let error = #expect(throws: DescriptionError.self) {
            try APIReader.read(Documents(source), behaviorModel: missing)
        }
        #expect(error?.description == "none.json: the file none.json cannot be read")
    }
}
