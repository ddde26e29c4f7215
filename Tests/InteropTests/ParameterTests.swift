import APIKitFoundation
import Testing

/// Parameters as an independent server decodes them.
@Suite(.httpbin, .timeLimit(.minutes(1))) struct ParameterTests {
    /// Texts that are easily encoded incorrectly.
    private static let texts = [
        "two words", " ", "a+b", "a&b=c", "100%", "%41", "?#[]@!$'()*,;:/\\\"<>^`{|}~", "naïve 日本語 👩‍👩‍👧", "\u{1}\u{7F}",
        "", "line\nbreak\ttab",
    ]

    @Test(arguments: texts, ["query", "form", "JSON"])
    func textArrivesUnchanged(text: String, place: String) async throws {
        let parameters: Parameters = ["text": text, text + "name": "value"]
        let (plain, json) = (Anything(method: place == "form" ? .post : .get, parameters: parameters), place == "JSON")
        let echo =
            try await json
            ? URLSession.api.send(AnythingInJSON(parameters: parameters)) : URLSession.api.send(plain)
        let values: [String: Values] = ["text": Values(stringLiteral: text), text + "name": "value"]
        #expect(echo.args == (place == "query" ? values : [:]))
        #expect(echo.form == (place == "form" ? values : [:]))
        #expect(echo.json == (json ? .object(["text": .string(text), text + "name": .string("value")]) : nil))
        let types = ["form": "application/x-www-form-urlencoded", "JSON": "application/json"]
        #expect(echo.header("Content-Type") == types[place])
        #expect(echo.header("Accept") == "application/json")
    }

    /// httpbin compares the password in the path with that in the header. It treats an encoded slash as a separator
    /// too.
    @Test(arguments: texts.filter { !$0.isEmpty }.map { $0.replacingOccurrences(of: "/", with: "") })
    func valueInPathArrivesUnchanged(text: String) async throws {
        let credentials = Data("user:\(text)".utf8).base64EncodedString()
        let request = Get("basic-auth/user/\(text)", headers: [.authorization: "Basic \(credentials)"])
        #expect(try await URLSession.api.send(request).isEmpty == false)
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func repeatedNamesAllArrive(method: HTTPMethod) async throws {
        let parameters: Parameters = ["tag": "a", "other": 1, "tag": "b", "tag": "a"]
        let echo = try await URLSession.api.send(Anything(method: method, parameters: parameters))
        #expect((method == .get ? echo.args : echo.form) == ["tag": ["a", "b", "a"], "other": "1"])
    }

    @Test(
        arguments: [
            (ParameterStyle.Lists.repeated, ["tag": ["a b", "c,d"]]),
            (.brackets, ["tag[]": ["a b", "c,d"]]),
            (.indexed, ["tag[0]": "a b", "tag[1]": "c,d"]),
            (.commas, ["tag": "a b,c,d"]),
        ] as [(ParameterStyle.Lists, [String: Values])], [HTTPMethod.get, .post])
    func listsArriveInEachStyle(lists: (ParameterStyle.Lists, [String: Values]), method: HTTPMethod) async throws {
        let endpoint = Anything(
            method: method, parameters: ["tag": ["a b", "c,d"]], parameterStyle: ParameterStyle(lists: lists.0))
        let echo = try await URLSession.api.send(endpoint)
        #expect((method == .get ? echo.args : echo.form) == lists.1)
    }

    @Test(
        arguments: [
            (ParameterStyle.Members.brackets, ["supply[0][description]": "rope", "supply[0][size][m]": "2"]),
            (.dots, ["supply[0].description": "rope", "supply[0].size.m": "2"]),
        ] as [(ParameterStyle.Members, [String: Values])])
    func membersArriveInEachStyle(members: ParameterStyle.Members, expected: [String: Values]) async throws {
        let style = ParameterStyle(lists: .indexed, members: members)
        let supply: Parameters = ["description": "rope", "size": .object(["m": 2])]
        let parameters: Parameters = ["supply": .list([.object(supply)])]
        for method in [HTTPMethod.get, .post] {
            let endpoint = Anything(method: method, parameters: parameters, parameterStyle: style)
            let echo = try await URLSession.api.send(endpoint)
            #expect((method == .get ? echo.args : echo.form) == expected)
        }
    }

    @Test func valuesArriveUnchanged() async throws {
        let id = UUID()
        let parameters: Parameters = [
            "nil": nil as String?, "null": .null, "int": Int.min, "double": 0.1, "bool": true,
            "date": Date(timeIntervalSince1970: 1_000_000_000), "uuid": id,
            "url": URL(string: "https://example.com/?a=b&c=d"),
        ]
        let echo = try await URLSession.api.send(Anything(parameters: parameters))
        #expect(
            echo.args == [
                "null": "", "int": "-9223372036854775808", "double": "0.1", "bool": "true",
                "date": "2001-09-09T01:46:40Z", "uuid": Values(stringLiteral: id.uuidString),
                "url": "https://example.com/?a=b&c=d",
            ])
    }

    @Test func jsonValuesArriveWithTheirTypes() async throws {
        let parameters: Parameters = [
            "null": .null, "int": 7, "double": -0.5, "bool": false, "list": [1, 2], "empty": [Int](),
            "object": .object(["a": .list([1, "b", .null])]), "date": Date(timeIntervalSince1970: 0),
        ]
        let echo = try await URLSession.api.send(AnythingInJSON(method: .put, parameters: parameters))
        #expect(
            echo.json
                == .object([
                    "null": .null, "int": .number(7), "double": .number(-0.5), "bool": .bool(false),
                    "list": .list([.number(1), .number(2)]), "empty": .list([]),
                    "object": .object(["a": .list([.number(1), .string("b"), .null])]),
                    "date": .string("1970-01-01T00:00:00Z"),
                ]))
    }

    @Test func encodableValueArrivesAsQueryAndAsJSON() async throws {
        struct Filter: Encodable {
            var state = "open & shut"
            var labels = ["bug", "help"]
            var since: Int?
        }
        let parameters = Parameters(encoding: Filter())
        let query = try await URLSession.api.send(Anything(parameters: parameters))
        #expect(query.args == ["state": "open & shut", "labels": ["bug", "help"]])
        let json = try await URLSession.api.send(AnythingInJSON(parameters: parameters))
        let labels = JSONValue.list([.string("bug"), .string("help")])
        #expect(json.json == .object(["state": .string("open & shut"), "labels": labels]))
        let body = try await URLSession.api.send(AnythingInBody(body: .json(Filter())))
        #expect(body.json == json.json)
    }

    @Test func queriesAndBodyAreSentTogether() async throws {
        struct All: APIRequest {
            typealias Response = Echo
            var baseURL: URL { URL(string: "\(HTTPBin.url)/anything/v1/?key=a%20b")! }  // the server's, and a literal
            var method: HTTPMethod { .post }
            var path: URLPath { "/users" }
            var query: Parameters { ["page": 2] }
            var parameters: Parameters { ["name": "x"] }
            var defaultQuery: Parameters { ["version": "2022-11-28", "page": 1] }
        }
        let echo = try await URLSession.api.send(All())
        #expect(echo.args == ["key": "a b", "version": "2022-11-28", "page": "2"])
        #expect(echo.form == ["name": "x"])
        #expect(URL(string: echo.url)?.path == "/anything/v1/users")
    }
}
