import APIKit
import SuiteSupport
import Testing

/// Names that are keywords in some language.
@Suite struct SpecialWordsTests {
    private static let words = [
        "and", "as", "assert", "async", "await", "break", "class", "constructor", "continue", "def", "del", "elif",
        "else", "except", "exec", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "not",
        "or", "pass", "raise", "return", "try", "while", "with", "yield",
    ]

    /// A model, which the server names with the last segment of the path. In Swift, the name of a type begins with a
    /// capital, so that none of the words is reserved.
    struct Model: JSONBody {
        var name: String
    }

    struct Send<Body: JSONBody>: ServiceRequest {
        var path: URLPath
        var model: Body
        var method: HTTPMethod { .post }
        var body: RequestBody? { .json(model) }
    }

    @Test(
        .scenario(
            "SpecialWords_Models_and", "SpecialWords_Models_as", "SpecialWords_Models_assert",
            "SpecialWords_Models_async", "SpecialWords_Models_await", "SpecialWords_Models_break",
            "SpecialWords_Models_class", "SpecialWords_Models_constructor", "SpecialWords_Models_continue",
            "SpecialWords_Models_def", "SpecialWords_Models_del", "SpecialWords_Models_elif",
            "SpecialWords_Models_else", "SpecialWords_Models_except", "SpecialWords_Models_exec",
            "SpecialWords_Models_finally", "SpecialWords_Models_for", "SpecialWords_Models_from",
            "SpecialWords_Models_global", "SpecialWords_Models_if", "SpecialWords_Models_import",
            "SpecialWords_Models_in", "SpecialWords_Models_is", "SpecialWords_Models_lambda",
            "SpecialWords_Models_not", "SpecialWords_Models_or", "SpecialWords_Models_pass",
            "SpecialWords_Models_raise", "SpecialWords_Models_return", "SpecialWords_Models_try",
            "SpecialWords_Models_while", "SpecialWords_Models_with", "SpecialWords_Models_yield"), arguments: words)
    func models(word: String) async throws {
        try await expect(
            Send(path: "special-words/models/\(word)", model: Model(name: "ok")), sends: "POST",
            "/special-words/models/\(word)", .json(#"{"name": "ok"}"#))
    }

    @Test(
        .scenario(
            "SpecialWords_Operations_and", "SpecialWords_Operations_as", "SpecialWords_Operations_assert",
            "SpecialWords_Operations_async", "SpecialWords_Operations_await", "SpecialWords_Operations_break",
            "SpecialWords_Operations_class", "SpecialWords_Operations_constructor",
            "SpecialWords_Operations_continue", "SpecialWords_Operations_def", "SpecialWords_Operations_del",
            "SpecialWords_Operations_elif", "SpecialWords_Operations_else", "SpecialWords_Operations_except",
            "SpecialWords_Operations_exec", "SpecialWords_Operations_finally", "SpecialWords_Operations_for",
            "SpecialWords_Operations_from", "SpecialWords_Operations_global", "SpecialWords_Operations_if",
            "SpecialWords_Operations_import", "SpecialWords_Operations_in", "SpecialWords_Operations_is",
            "SpecialWords_Operations_lambda", "SpecialWords_Operations_not", "SpecialWords_Operations_or",
            "SpecialWords_Operations_pass", "SpecialWords_Operations_raise", "SpecialWords_Operations_return",
            "SpecialWords_Operations_try", "SpecialWords_Operations_while", "SpecialWords_Operations_with",
            "SpecialWords_Operations_yield"), arguments: words)
    func operations(word: String) async throws {
        try await expect(
            Get("special-words/operations/\(word)"), sends: "GET", "/special-words/operations/\(word)")
    }

    @Test(
        .scenario(
            "SpecialWords_Parameters_and", "SpecialWords_Parameters_as", "SpecialWords_Parameters_assert",
            "SpecialWords_Parameters_async", "SpecialWords_Parameters_await", "SpecialWords_Parameters_break",
            "SpecialWords_Parameters_class", "SpecialWords_Parameters_constructor",
            "SpecialWords_Parameters_continue", "SpecialWords_Parameters_def", "SpecialWords_Parameters_del",
            "SpecialWords_Parameters_elif", "SpecialWords_Parameters_else", "SpecialWords_Parameters_except",
            "SpecialWords_Parameters_exec", "SpecialWords_Parameters_finally", "SpecialWords_Parameters_for",
            "SpecialWords_Parameters_from", "SpecialWords_Parameters_global", "SpecialWords_Parameters_if",
            "SpecialWords_Parameters_import", "SpecialWords_Parameters_in", "SpecialWords_Parameters_is",
            "SpecialWords_Parameters_lambda", "SpecialWords_Parameters_not", "SpecialWords_Parameters_or",
            "SpecialWords_Parameters_pass", "SpecialWords_Parameters_raise", "SpecialWords_Parameters_return",
            "SpecialWords_Parameters_try", "SpecialWords_Parameters_while", "SpecialWords_Parameters_with",
            "SpecialWords_Parameters_yield", "SpecialWords_Parameters_cancellationToken"),
        arguments: words + ["cancellationToken"])
    func parameters(word: String) async throws {
        try await expect(
            Get("special-words/parameters/\(word)", [word: "ok"]), sends: "GET",
            "/special-words/parameters/\(word)?\(word)=ok")
    }

    /// A member with the name of its model.
    struct SameAsModel: JSONBody {
        var sameAsModel: String
        enum CodingKeys: String, CodingKey { case sameAsModel = "SameAsModel" }
    }

    /// Members with the names of the methods of a dictionary.
    struct DictionaryMethods: JSONBody {
        var keys, items, values, popitem, clear, update, setdefault, pop, get, copy: String
    }

    struct List: JSONBody {
        var list: String
    }

    @Test(
        .scenario(
            "SpecialWords_ModelProperties_sameAsModel", "SpecialWords_ModelProperties_dictMethods",
            "SpecialWords_ModelProperties_withList"))
    func modelProperties() async throws {
        try await expect(
            Send(path: "special-words/model-properties/same-as-model", model: SameAsModel(sameAsModel: "ok")),
            sends: "POST", "/special-words/model-properties/same-as-model", .json(#"{"SameAsModel": "ok"}"#))
        let methods = DictionaryMethods(
            keys: "ok", items: "ok", values: "ok", popitem: "ok", clear: "ok", update: "ok", setdefault: "ok",
            pop: "ok", get: "ok", copy: "ok")
        try await expect(
            Send(path: "special-words/model-properties/dict-methods", model: methods), sends: "POST",
            "/special-words/model-properties/dict-methods",
            .json(
                """
                {"keys": "ok", "items": "ok", "values": "ok", "popitem": "ok", "clear": "ok", "update": "ok",
                "setdefault": "ok", "pop": "ok", "get": "ok", "copy": "ok"}
                """))
        try await expect(
            Send(path: "special-words/model-properties/list", model: List(list: "ok")), sends: "POST",
            "/special-words/model-properties/list", .json(#"{"list": "ok"}"#))
    }

    struct SendItems: ServiceRequest, JSONRequest {
        var items: [String]
        var method: HTTPMethod { .post }
        var path: URLPath { "special-words/operations/body-param-reserved" }
        var parameters: Parameters { ["items": items] }
    }

    @Test(.scenario("SpecialWords_ReservedOperationBodyParams_withItems"))
    func items() async throws {
        try await expect(
            SendItems(items: ["item"]), sends: "POST", "/special-words/operations/body-param-reserved",
            .json(#"{"items": ["item"]}"#))
    }

    /// A text with known values, one of which is a keyword of Swift.
    struct ExtensibleString: RawRepresentable, Codable, Equatable, JSONResponse, JSONBody {
        var rawValue: String
        static let `class` = ExtensibleString(rawValue: "class")
    }

    struct PutExtensibleString: ServiceRequest {
        typealias Response = ExtensibleString
        var text: ExtensibleString
        var method: HTTPMethod { .put }
        var path: URLPath { "special-words/extensible-strings/string" }
        var body: RequestBody? { .json(text) }
    }

    @Test(.scenario("SpecialWords_ExtensibleStrings_putExtensibleStringValue"))
    func extensibleString() async throws {
        let request = PutExtensibleString(text: .class)
        try await expect(request, sends: "PUT", "/special-words/extensible-strings/string", .json(#""class""#))
        try await expect(request, reads: #""class""#, as: .class)
    }
}
