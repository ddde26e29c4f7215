import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct HTTPHeadersTests {
    @Test func namesIgnoreCase() {
        let headers: HTTPHeaders = ["content-TYPE": "text/plain"]
        #expect(headers[.contentType] == "text/plain")
        #expect(headers["Content-Type"] == "text/plain")
        #expect(headers["CONTENT-TYPE"] == "text/plain")
        #expect(headers["Content-Typ"] == nil)
        #expect(HTTPHeaders.Name.accept == "aCCEPT")
        #expect(HTTPHeaders.Name.accept.hashValue == HTTPHeaders.Name("aCCEPT").hashValue)
    }

    @Test func namesIgnoreCaseOfASCIILettersOnly() {
        // The Kelvin sign lower-cases to "k" in Unicode, and "@" and "`" differ in the case bit.
        #expect(HTTPHeaders.Name("X-\u{212A}") != "X-k")
        #expect(HTTPHeaders.Name("@") != "`")
        #expect(HTTPHeaders.Name("[") != "{")
    }

    @Test func keepsOrderAndRepeats() {
        #expect((["x-Request-ID": ""] as HTTPHeaders).map { "\($0.name.rawValue)=\($0.value)" } == ["x-Request-ID="])
        #expect((["x-Request-ID": "1"] as HTTPHeaders).map(\.name.description) == ["x-Request-ID"])
        #expect((["A": ""] as HTTPHeaders)["A"] == "")
        var headers: HTTPHeaders = ["B": "1", "A": "2"]
        headers.append("3", for: "b")
        #expect(headers.map(\.name.rawValue) == ["B", "A", "b"])
        #expect(headers.map(\.value) == ["1", "2", "3"])
        #expect(headers.values(for: "B") == ["1", "3"])
        #expect(headers.count == 3)
        let joined: HTTPHeaders = ["Accept": "a", "X": "between", "accept": "b, c", "ACCEPT": "d"]
        #expect(joined[.accept] == "a, b, c, d")
    }

    @Test(
        arguments: [
            ("a", "new", ["A": "new", "B": "2", "C": "4"]),
            ("D", "new", ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5", "D": "new"]),
            ("A", nil, ["B": "2", "C": "4"]), ("never there", nil, ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]),
        ] as [(HTTPHeaders.Name, String?, HTTPHeaders)])
    func settingReplacesAllHeadersOfTheNameInPlace(name: HTTPHeaders.Name, value: String?, expected: HTTPHeaders) {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        headers[name] = value
        #expect(headers.map(\.name.rawValue) == expected.map(\.name.rawValue))
        #expect(headers == expected)
    }

    @Test func neverJoinsSetCookie() {
        let headers: HTTPHeaders = ["Set-Cookie": "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "set-cookie": "b=2"]
        #expect(headers[.setCookie] == "a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT")
        #expect(headers.values(for: .setCookie) == ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2"])
    }

    @Test func nilInLiteralOmitsHeader() {
        let etag: String? = nil
        let headers: HTTPHeaders = [.accept: "a", .ifNoneMatch: etag, "X": nil]
        #expect(headers.map(\.name) == [.accept])
    }

    @Test func addMissingKeepsExistingHeadersAndRepeats() {
        var headers: HTTPHeaders = ["accept": "own"]
        headers.addMissing(from: ["Accept": "standard", "X": "1", "x": "2"])
        #expect(headers.map(\.name.rawValue) == ["accept", "X", "x"])
        #expect(headers.map(\.value) == ["own", "1", "2"])
    }

    @Test func removesByCondition() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "C": "1"]
        headers.removeAll { $0.value == "1" }
        #expect(headers.map(\.name.rawValue) == ["B"])
    }

    @Test func equalityIgnoresCaseOfNamesButNotOfValues() {
        let headers: HTTPHeaders = ["A": "x", "B": "y"]
        #expect(headers == ["a": "x", "b": "y"])
        #expect(headers.hashValue == (["a": "x", "b": "y"] as HTTPHeaders).hashValue)
        #expect(headers != ["A": "X", "B": "y"])
        #expect(headers != ["B": "y", "A": "x"])
    }

    @Test func isCreatedFromFields() {
        let fields = [HTTPHeaders.Field(name: "A", value: "1"), HTTPHeaders.Field(name: .accept, value: "2")]
        #expect(HTTPHeaders(fields) == ["A": "1", "Accept": "2"])
        #expect(Array(HTTPHeaders(fields)) == fields)
        #expect(HTTPHeaders().isEmpty)
    }

    @Test func descriptionMasksValuesOfSecretHeadersOnly() {
        var headers: HTTPHeaders = [
            "X-Page": "7", "Accept": "application/json, text/html;q=0.8", "User-Agent": "App/1.0 (Linux; x86_64)",
            "If-None-Match": "W/\"67ab43\"", "Date": "Tue, 15 Nov 1994 08:12:31 GMT",
        ]
        let harmless = headers.map { "\($0.name): \($0.value)" }
        headers.append("hunter2", for: "AUTHORIZATION")
        #expect(headers.description == (harmless + ["AUTHORIZATION: ***"]).joined(separator: "\n"))
    }

    @Test func descriptionMasksSecretsInsideOtherValues() {
        let headers: HTTPHeaders = [
            "Link": "<https://user:hunter2@api.example.com/x?page=2&token=hunter2>; rel=\"next\"",
            "X-Forwarded": "Bearer hunter2", "Referer": "https://example.com/?api_key=hunter2&q=tea",
        ]
        #expect(!headers.description.contains("hunter2"))
        #expect(headers.description.contains("api.example.com/x?page=2"))
        #expect(headers.description.contains("rel=\"next\""))
        #expect(headers.description.contains("q=tea"))
    }
}
