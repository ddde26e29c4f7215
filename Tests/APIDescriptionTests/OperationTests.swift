import APIDescription
import APIKitCore
import Testing

@Suite struct OperationTests {
    private struct PathRequest: APIRequest {
        typealias Response = Data
        var base: APIBase = "https://api.example/v1"
        let path: URLPath
    }

    private struct FileRequest: APIRequest {
        typealias Response = Data
        var base: APIBase { "https://api.example/v1" }
        let file: String
        var path: URLPath { "files/\(segments: file)" }
    }

    private func description(_ servers: String = "https://api.example/v1", _ paths: String...) throws -> APIDescription
    {
        let items = paths.map {
            #""\#($0)": {"get": {"operationId": "\#($0)", "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}], "responses": {}}}"#
        }
        return try APIDescription(
            Data(
                #"{"openapi": "3.0.0", "servers": [{"url": "\#(servers)"}], "paths": {\#(items.joined(separator: ","))}}"#
                    .utf8))
    }

    @Test(
        arguments: [
            ("a/7", ["/a/{id}"], []),
            ("a/me", ["/a/{id}", "/a/me"], []),
            ("a/me", ["/a/{id}"], [.type]),
            ("a/7.json", ["/a/{id}", "/a/{id}.json"], []),
            ("a/7:stop", ["/a/{id}:stop"], []),
            ("a/7...8", ["/a/{id}...{other}"], []),
            ("a/7/b", ["/a/{id}"], [.unknownOperation]),
            ("a", ["/a/{id}"], [.unknownOperation]),
            ("a/7", ["/a/{id}?kind=b#c"], []),
        ] as [(URLPath, [String], [APIDescription.Problem.Code])])
    func findsTheNearestPath(_ path: URLPath, _ paths: [String], _ codes: [APIDescription.Problem.Code]) throws {
        let items = paths.map {
            #""\#($0)": {"get": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}], "responses": {}}}"#
        }
        let description = try APIDescription(
            Data(#"{"openapi": "3.0.0", "paths": {\#(items.joined(separator: ","))}}"#.utf8))
        #expect(description.problems(with: PathRequest(base: "https://api.example", path: path)).map(\.code) == codes)
    }

    @Test(arguments: ["https://api.example", "https://api.example/", "/"])
    func baseMayHoldTheBeginningOfThePath(server: String) throws {
        let description = try description(server, "/v1/a/{id}", "/v2/a/{id}")
        #expect(description.problems(with: PathRequest(path: "a/7")) == [])
        #expect(description.problems(with: PathRequest(path: "a/me")).map(\.code) == [.type])
        let requests = [PathRequest(path: "a/7"), PathRequest(base: "https://api.example/v2", path: "a/7")]
        #expect(description.coverageProblems(of: requests) == [])
    }

    @Test(
        arguments: [
            ("https://api.example/v1", []), ("https://api.example/v1/", []), ("/v1", []),
            ("https://{host}/{version}", []),
            ("https://other.example/v1", [.unknownServer]), ("/v2", [.unknownOperation]),
        ] as [(String, [APIDescription.Problem.Code])])
    func findsTheServer(_ server: String, _ codes: [APIDescription.Problem.Code]) throws {
        #expect(try description(server, "/a").problems(with: PathRequest(path: "a")).map(\.code) == codes)
    }

    @Test(arguments: ["/{id}/todos", "/a{id}/{other}/todos"]) func variablesOfTheBaseNeedNoValue(path: String) throws {
        let description = try description("https://api.example", path)
        let base = APIBase("https://api.example\(path.dropLast("/todos".count))")
        #expect(description.problems(with: PathRequest(base: base, path: "todos")) == [])
        #expect(description.coverageProblems(of: [PathRequest(base: base, path: "todos")]) == [])
        #expect(
            description.problems(with: PathRequest(base: base, path: "lists")).map(\.code) == [.unknownOperation])
    }

    @Test func valuesMayHoldSlashesIfTheEndpointSaysSo() throws {
        let description = try description("https://api.example/v1", "/files/{path}")
        #expect(description.problems(with: FileRequest(file: "a/b/c")) == [])
        #expect(description.problems(with: PathRequest(path: "files/a/b/c")).map(\.code) == [.unknownOperation])
    }

    @Test func namesTheMethodsThatThereAre() throws {
        let problems = try description("https://api.example/v1", "/things").problems(with: JSONEndpoint<Anything>())
        #expect(
            problems.map(\.description) == [
                "JSONEndpoint<Anything>: is POST https://api.example/things, which the description does not have (#/paths)"
            ])
        let shop = try Shop.description(replacing: #""post": {\#n        "tags""#, by: #""put": {\#n        "tags""#)
        #expect(
            shop.problems(with: AddItemRequest()).map(\.message) == [
                "is POST https://eu.shop.example/v2/items, which the description does not have, but GET, PUT"
            ])
    }

    @Test func invalidRequestIsAProblem() throws {
        let problems = try Shop.description().problems(with: PathRequest(base: "ftp://x", path: "a"))
        #expect(problems.map(\.code) == [.invalidRequest])
    }

    @Test func coverageNamesUnusedOperationsAndUnknownEndpoints() throws {
        let shop = try Shop.description()
        let endpoints: [any APIRequest] = [ItemsRequest(), ItemRequest(), PathRequest(path: "a")]
        #expect(
            shop.coverageProblems(of: endpoints, tags: ["items"]).map(\.description) == [
                "PathRequest: is GET https://api.example/v1/a, which the description does not have (#/paths)",
                "POST /items: has no endpoint (#/paths/~1items/post)",
            ])
        #expect(shop.coverageProblems(of: endpoints).count == 6)
    }
}
