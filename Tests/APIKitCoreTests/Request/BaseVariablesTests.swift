import Testing

@testable import APIKitCore

/// Variables in the path of a base URL.
@Suite struct BaseVariablesTests {
    private struct Probe: APIRequest {
        typealias Response = Data
        var base: APIBase
        var path: URLPath { "c" }
    }

    @Test(
        arguments: [
            ("https://h.example/{a}", "7", "https://h.example/7/c"),
            ("https://h.example/{a}/", "7", "https://h.example/7/c"),
            ("HTTPS://h.example:8443/v1/{a}/x", "7", "https://h.example:8443/v1/7/x/c"),
            ("https://h.example/{a}/v{a}?k=1", "7", "https://h.example/7/v7/c?k=1"),
            ("https://h.example/{a}", "b c/d?e#f", "https://h.example/b%20c%2Fd%3Fe%23f/c"),
            ("https://h.example/{a}", "{a}{b}", "https://h.example/%7Ba%7D%7Bb%7D/c"),
            ("https://h.example/{a}", "x:y@z-._~\u{E9}", "https://h.example/x:y@z-._~%C3%A9/c"),
            ("https://h.example/{a}", "a..b", "https://h.example/a..b/c"),
        ] as [(String, String, String)])
    func aValueIsOneSegment(url: String, value: String, result: String) throws {
        let base = APIBase(url, headers: ["X-Key": "k"]).setting("a", to: value)
        #expect(base.problem == nil)
        let request = try Probe(base: base).httpRequest()
        #expect(request.url.absoluteString == result)
        #expect(request.headers["X-Key"] == "k")
    }

    @Test func eachVariableIsSetByItself() throws {
        let base: APIBase = "https://h.example/{account}/{project}"
        let set = base.setting("project", to: "p").setting("account", to: 7)
        #expect(try Probe(base: set).httpRequest().url.absoluteString == "https://h.example/7/p/c")
        #expect(base.url == nil && set.url?.absoluteString == "https://h.example/7/p")
        #expect(base.setting("account", to: 7).problem?.contains(#""project""#) == true)
    }

    @Test(
        arguments: [
            ("https://h.example/{accountId}", #"has no value for its variable "accountId": give a client a base"#),
            ("https://h.example/v1/x{a}y?k=1", #"has no value for its variable "a""#),
            ("https://{region}.example/v1", "has a variable outside of its path"),
            ("https://h.example:{port}/{a}", "has a variable outside of its path"),
            ("https://h.example/v1?k={a}", "has a variable outside of its path"),
            ("https://h.example/{}", "is not valid"), ("https://h.example/{a", "is not valid"),
            ("https://h.example/a}", "is not valid"), ("https://h.example/{a/b}", "is not valid"),
        ] as [(String, String)])
    func aURLWithAVariableIsRefused(url: String, problem: String) throws {
        let base = APIBase(url)
        #expect(base.problem?.hasPrefix(problem) == true, "\(base.problem ?? "nil")")
        let error = try #require(throws: RequestError.self) { try Probe(base: base).httpRequest() }
        #expect(error.code == .baseURL)
        #expect(error.message.contains(try #require(base.problem)))
    }

    @Test func theErrorSaysWhatToDo() throws {
        let error = try #require(throws: RequestError.self) {
            try Probe(base: "https://h.example/{accountId}").httpRequest()
        }
        #expect(error.message.contains(#"the base URL "https://h.example/{accountId}" has no value"#))
        #expect(error.message.contains(#"`client.based(at: base.setting("accountId", to: 7))`"#))
        #expect(error.message.contains("`httpRequest(base:)`"))
    }

    @Test(
        arguments: [
            ("https://h.example/{a}", "b", "7", #"has no variable "b" in its path"#),
            ("https://h.example/7", "a", "7", #"has no variable "a" in its path"#),
            ("https://{a}.example/", "a", "7", #"has no variable "a" in its path"#),
            ("https://h.example/?k={a}", "a", "7", #"has no variable "a" in its path"#),
            ("https://h.example/{}", "", "7", #"has no variable "" in its path"#),
            ("/{a}", "a", "7", #"has no variable "a" in its path"#),
            ("", "a", "7", #"has no variable "a" in its path"#),
            ("https://h.example/{a}", "a", "", #"has an empty value for its variable "a""#),
            ("https://h.example/{a}", "a", ".", #"has a path segment that is ".""#),
            ("https://h.example/{a}", "a", "..", #"has a path segment that is ".""#),
            ("https://h.example/{a}", "a", "../x", #"has a path segment that is ".""#),
            ("https://h.example/.{a}", "a", ".", #"has a path segment that is ".""#),
        ] as [(String, String, String, String)])
    func aValueThatCannotBeSetIsAProblem(url: String, name: String, value: String, problem: String) {
        let base = APIBase(url).setting(name, to: value)
        #expect(base.problem?.hasPrefix(problem) == true, "\(base.problem ?? "nil")")
        #expect(throws: RequestError.self) { try Probe(base: base).httpRequest() }
    }

    @Test func aLaterValueHidesNoProblem() {
        let base = APIBase("https://h.example/{a}").setting("b", to: 1).setting("a", to: 7)
        #expect(base.problem == #"has no variable "b" in its path"#)
    }
}
