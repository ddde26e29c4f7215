import APIKit
import Testing

/// Parameters as an independent server decodes them.
@Suite(.httpbin, .timeLimit(.minutes(10))) struct ParameterTests {
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
        #expect(echo.json == (json ? ["text": .string(text), text + "name": "value"] : nil))
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

    @Test func jsonValuesArriveWithTheirTypes() async throws {
        let parameters: Parameters = [
            "null": .null, "int": 7, "double": -0.5, "bool": false, "list": [1, 2], "empty": [Int](),
            "object": .object(["a": .list([1, "b", .null])]), "date": Date(timeIntervalSince1970: 0),
        ]
        let echo = try await URLSession.api.send(AnythingInJSON(method: .put, parameters: parameters))
        #expect(
            echo.json
                == [
                    "null": .null, "int": 7, "double": -0.5, "bool": false, "list": [1, 2], "empty": [],
                    "object": ["a": [1, "b", .null]], "date": "1970-01-01T00:00:00Z",
                ])
    }
}
