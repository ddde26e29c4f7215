import APIKitCore
import APIKitTesting
import Foundation
import TestSupport
import Testing

@Suite struct LikelyMistakesTests {
    private enum Sort: String, ParameterValue { case created, updated }

    private struct SearchRequest: APIRequest {
        struct Filter: Encodable, Sendable { var city: String }
        final class Client: Sendable { let name = "local" }
        typealias Response = Data
        var text = "a \"b\"/c+ü\n\t."
        var page: Int? = 7
        var sort: Sort? = .updated
        var id = UUID()
        var tags = ["x y", "z"]
        var owner: Patch<String> = .set("ada")
        var isOpen = true
        var filter = Filter(city: "Lyon")
        var options = RequestOptions(timeout: .seconds(5))
        var isForm = false
        var method = HTTPMethod.patch
        var price = 7.0
        var client = Client()
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "search/\(id)" }
        var headers: HTTPHeaders { ["X-City": filter.city, "X-Price": "7"] }
        var parameters: Parameters { ["text": text, "page": page, "sort": sort, "tags": tags, "owner": owner] }
        var body: RequestBody? { isForm ? .form(parameters) : .json(parameters) }
    }

    @Test(arguments: [true, false]) func valuesThatAreSentAreNoMistakes(isForm: Bool) {
        #expect(SearchRequest(isForm: isForm).likelyMistakes() == [])
    }

    private struct TodoRequest: APIRequest {
        typealias Response = Data
        var todo = 4711
        var page = 12
        var base: APIBase = "https://camp.example/{accountId}/{projectId}"
        var path: URLPath { "todos/\(todo)" }
    }

    @Test func variablesOfTheBaseNeedNoValue() {
        #expect(TodoRequest().likelyMistakes(ignoring: ["page"]) == [])
        let mistakes = TodoRequest().likelyMistakes()
        #expect(mistakes.count == 1 && mistakes[0].contains("`page`"), "\(mistakes)")
    }

    @Test func variableOutsideThePathIsAMistake() {
        let mistakes = TodoRequest(base: "https://{region}.camp.example/{accountId}").likelyMistakes()
        #expect(mistakes.count == 1 && mistakes[0].contains("outside of its path"), "\(mistakes)")
    }

    private struct UploadRequest: APIRequest {
        typealias Response = Data
        var caption = "beach"
        var photo: FilePart?
        var more: [FilePart] = []
        var note: String?
        var isAlwaysMultipart = false
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "photos" }
        var method: HTTPMethod { .post }
        var parameters: Parameters { ["caption": caption, "photo": photo, "more": more, "note": note] }
        var body: RequestBody? {
            isAlwaysMultipart
                ? .multipart(MultipartForm(parameters, style: base.parameterStyle)) : .form(parameters)
        }
    }

    @Test func aFormWhoseTypeDependsOnAFileIsAMistake() {
        let mistakes = UploadRequest().likelyMistakes()
        #expect(mistakes.count == 2 && mistakes[0].contains("without the file `photo`"), "\(mistakes)")
        #expect(UploadRequest().likelyMistakes(ignoring: ["photo", "more"]) == [])
        #expect(UploadRequest(isAlwaysMultipart: true).likelyMistakes() == [])
    }

    private struct PageRequest: APIRequest {
        typealias Response = Data
        var page = 7
        var cache = "local"
        var method = "POST"
        var header = ["X-A": "token"]
        var optoins = "quick"
        var missing: Int?
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "pages" }
    }

    @Test func valuesThatAreNotSentAreNamed() {
        #expect(
            PageRequest().likelyMistakes(ignoring: ["cache"]) == [
                #"`page` ("7") appears nowhere in the request"#,
                #"`method` ("POST") appears nowhere in the request: its type is String, not HTTPMethod"#,
                #"`header` ("X-A") appears nowhere in the request: did you mean `headers`?"#,
                #"`optoins` ("quick") appears nowhere in the request: did you mean `options`?"#,
            ])
    }

    @Test(
        arguments: [
            (Endpoint(method: "post"), "methods are in upper case: \"post\""),
            (Endpoint(path: "users/\("nil")"), "the URL has the text of an optional"),
            (Endpoint(parameters: ["id": "Optional(7)"]), "the URL has the text of an optional"),
            (
                Endpoint(headers: [.authorization: "Bearer nil"]),
                "the header `Authorization` has the text of an optional"
            ),
            (
                Endpoint(parameters: ["photo": URL(string: "file:///tmp/a.jpg")]),
                "the URL has the URL of a file, whose contents are not sent"
            ),
            (
                Endpoint(method: .post, body: .form(["photo": URL(string: "file:///tmp/a.jpg")])),
                "the body has the URL of a file, whose contents are not sent"
            ),
            (
                Endpoint(
                    method: .post, body: .json(["photo": URL(string: "file:///tmp/a.jpg")], encoder: JSONEncoder())),
                "the body has the URL of a file, whose contents are not sent"
            ),
        ] as [(Endpoint<Data, Data>, String)])
    func oddValuesAreNamed(endpoint: Endpoint<Data, Data>, problem: String) {
        #expect(endpoint.likelyMistakes(ignoring: ["base", "options"]) == [problem])
    }

    private struct RemovalRequest: JSONRequest {
        typealias Response = NoContent
        var ids = [7, 8]
        var method = HTTPMethod.delete
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "items" }
        var parameters: Parameters { ["ids": ids] }
    }

    @Test func parametersOfADeleteAreExpectedInTheBody() {
        let problem = "`parameters` go into the query of a DELETE: to send JSON, return them as `body`"
        #expect(RemovalRequest().likelyMistakes() == [problem])
        #expect(RemovalRequest().likelyMistakes(ignoring: ["parameters"]) == [])
        #expect(RemovalRequest(method: .get).likelyMistakes() == [])
    }

    private struct FileRequest: APIRequest {
        typealias Response = Data
        var repository = "ada/engine"
        var file = "notes/2026/ö.txt"
        var isSplit = false
        var base: APIBase { "https://api.example.com/v1" }
        var path: URLPath {
            isSplit ? "repos/\(segments: repository)/\(segments: file)" : "repos/\(repository)/\(file)"
        }
    }

    @Test func slashesThatThePathEncodesAreNamed() {
        #expect(
            FileRequest().likelyMistakes() == [
                #"`repository` ("ada/engine") is one segment of the path, with its slashes encoded: if they separate segments, write `\(segments: repository)`"#,
                #"`file` ("notes/2026/ö.txt") is one segment of the path, with its slashes encoded: if they separate segments, write `\(segments: file)`"#,
            ])
        #expect(FileRequest().likelyMistakes(ignoring: ["repository", "file"]) == [])
        #expect(FileRequest(isSplit: true).likelyMistakes() == [])
    }

    private struct LookupRequest: APIRequest {
        typealias Response = Data
        var page = "https://example.com/a"
        var type = "image/png"
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "pages/\(page)" }
        var parameters: Parameters { ["type": type] }
    }

    @Test func slashesOfAURLAndOfAQueryAreMeant() {
        #expect(LookupRequest().likelyMistakes() == [])
    }

    @Test(
        arguments: [
            (
                "application/json", RequestBody.form(["a": 1]),
                [
                    "the header `Content-Type` says application/json, and the body is application/x-www-form-urlencoded: to send JSON, conform to `JSONRequest`"
                ]
            ),
            (
                "application/x-www-form-urlencoded; charset=utf-8", .json(["a": 1]),
                ["the header `Content-Type` says application/x-www-form-urlencoded, and the body is application/json"]
            ),
            ("application/json; charset=utf-8", .json(["a": 1]), []),
            ("application/vnd.api+json", .json(["a": 1]), []),
            ("application/x-amz-json-1.1", .json(["a": 1]), []),
        ] as [(String, RequestBody, [String])])
    func headerThatContradictsTheBodyIsNamed(type: String, body: RequestBody, problems: [String]) {
        let endpoint = Endpoint<Data, Data>(method: .post, headers: [.contentType: type], body: body)
        #expect(endpoint.likelyMistakes(ignoring: ["base", "options"]) == problems)
    }

    private struct TargetRequest: APIRequest {
        typealias Response = Data
        var name = "dune"
        var token = "abc"
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "books" }
        var headers: [String: String]? { ["X-Token": token] }
        var parameters: [String: Any] { ["name": name] }
    }

    @Test func valuesOfPropertiesOfAnotherLibraryAreNotSent() {
        #expect(
            TargetRequest().likelyMistakes() == [
                #"`name` ("dune") appears nowhere in the request"#, #"`token` ("abc") appears nowhere in the request"#,
            ])
    }

    @Test func ordinaryTextIsNotOdd() {
        let endpoint = Endpoint<Data, Data>(
            path: "nile/vanilla", method: "PURGE", parameters: ["q": "nilpotent"], headers: ["X-Note": "nils"])
        #expect(endpoint.likelyMistakes(ignoring: ["base", "options"]) == [])
    }

    @Test func invalidRequestIsItsError() {
        struct Invalid: APIRequest {
            typealias Response = Data
            var base: APIBase { "https://api.example.com" }
            var path: URLPath { "a?b" }
        }
        #expect(Invalid().likelyMistakes().count == 1)
        #expect(Invalid().likelyMistakes().first?.contains("was not sent") == true)
    }

    private struct CreationRequest: APIRequest {
        typealias Response = Data
        var name = "dune"
        var method = "POST"
        var headers: [String: String]?
        var query: Parameters = [:]
        var options = RequestOptions()
        var body: RequestBody? = .text("dune")
        var base: APIBase { "https://api.example.com" }
        var path: URLPath { "books" }
    }

    @Test func propertiesOfAnotherTypeAreNamedIfTheRequestIsInvalid() {
        let mistakes = CreationRequest().likelyMistakes()
        #expect(mistakes.first?.contains("a GET request has no body") == true)
        #expect(
            mistakes.dropFirst() == [
                "`method` does not replace the default: its type is String, not HTTPMethod",
                "`headers` does not replace the default: its type is Dictionary<String, String>?, not HTTPHeaders",
            ])
        #expect(CreationRequest().likelyMistakes(ignoring: ["method", "headers"]).count == 1)
    }
}
