import APIKit
import Testing

@Suite struct ConversionsTests {
    private let url = URL(string: "https://example.com/a?b=c")!  // a valid literal

    @Test func aRequestKeepsItsParts() {
        let body = RequestBody.data(Data("x".utf8), contentType: nil)
        let request = URLRequest(HTTPRequest(method: .put, url: url, headers: ["X-A": "1"], body: body))
        #expect(request.httpMethod == "PUT")
        #expect(request.url == url)
        #expect(request.value(forHTTPHeaderField: "x-a") == "1")
        #expect(request.httpBody == Data("x".utf8))
    }

    @Test func theTypeOfTheBodyIsAHeaderUnlessThereIsOne() {
        let body = RequestBody.text("x")
        let request = URLRequest(HTTPRequest(method: .put, url: url, body: body))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == body.contentType?.rawValue)
        let typed = URLRequest(HTTPRequest(method: .put, url: url, headers: [.contentType: "a/b"], body: body))
        #expect(typed.value(forHTTPHeaderField: "Content-Type") == "a/b")
    }

    @Test func repeatedHeadersAreJoinedAndCookiesBySemicolons() {
        var headers: HTTPHeaders = ["X-A": "1", .cookie: "a=1"]
        headers.append("2", for: "x-a")
        headers.append("b=2", for: .cookie)
        let request = URLRequest(HTTPRequest(url: url, headers: headers))
        #expect(request.value(forHTTPHeaderField: "X-A") == "1, 2")
        #expect(request.value(forHTTPHeaderField: "Cookie") == "a=1; b=2")
    }

    @Test(
        arguments: [
            (Duration.seconds(60), 60.0), (.milliseconds(1900), 2), (.milliseconds(500), 1), (.zero, 1),
            (.seconds(-5), 1),
            (.seconds(Int64.max), 1e9),
        ] as [(Duration, Double)])
    func timeoutsAreNumbersThatURLSessionBears(_ timeout: Duration, _ expected: Double) {
        let request = URLRequest(HTTPRequest(url: url, options: RequestOptions(timeout: .after(timeout))))
        #if canImport(FoundationNetworking)
        #expect(request.timeoutInterval == expected)
        #else
        #expect((0.001...1e9).contains(request.timeoutInterval))
        #endif
    }

    #if !canImport(FoundationNetworking)
    @Test(arguments: [true, false]) func networksAreThoseOfTheOptions(isAllowed: Bool) {
        let options = RequestOptions(
            allowsExpensiveNetworkAccess: isAllowed, allowsConstrainedNetworkAccess: !isAllowed)
        let request = URLRequest(HTTPRequest(url: url, options: options))
        #expect(request.allowsExpensiveNetworkAccess == isAllowed)
        #expect(request.allowsConstrainedNetworkAccess == !isAllowed)
    }
    #endif

    @Test func aResponseHeadHasStatusHeadersAndURL() throws {
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 201, httpVersion: nil, headerFields: ["B": "2", "A": "1"]))
        let head = try #require(HTTPResponse.Head(response))
        #expect(head == HTTPResponse.Head(status: 201, headers: ["A": "1", "B": "2"], url: url))
    }

    @Test func aHeadBecomesAResponseOfFoundationAndBack() throws {
        let head = HTTPResponse.Head(
            status: 404, headers: ["Content-Type": "text/plain; charset=utf-8", "ETag": "\"1\"", "X-A": "1"], url: url)
        let response = try #require(HTTPURLResponse(head))
        #expect(response.statusCode == 404)
        #expect(response.mimeType == "text/plain")
        #expect(response.value(forHTTPHeaderField: "etag") == "\"1\"")
        #expect(HTTPResponse.Head(response) == head)
    }

    @Test func repeatedHeadersOfAHeadAreJoinedAlsoCookies() throws {
        var head = HTTPResponse.Head(status: 200, headers: ["X-A": "1", .setCookie: "a=1"], url: url)
        head.headers.append("2", for: "x-a")
        head.headers.append("b=2", for: .setCookie)
        let response = try #require(HTTPURLResponse(head))
        #expect(HTTPResponse.Head(response)?.headers == [.setCookie: "a=1, b=2", "X-A": "1, 2"])
    }

    @Test func aSubclassCanBeCreatedFromAHead() throws {
        final class Response: HTTPURLResponse, @unchecked Sendable {}
        let response = try #require(Response(HTTPResponse.Head(status: 204, url: url)))
        #expect(response.statusCode == 204)
    }

    @Test func aRequestSurvivesTheWayThereAndBack() throws {
        let body = RequestBody.data(Data("x".utf8), contentType: nil)
        let request = HTTPRequest(
            method: .put, url: url, headers: [.accept: "text/csv", .contentType: "text/plain", "X-A": "1"], body: body,
            options: RequestOptions(timeout: .seconds(10)))
        #expect(try HTTPRequest(URLRequest(request)) == request)
    }

    @Test func aRequestOfFoundationHasNoOptionsByDefault() throws {
        #expect(try HTTPRequest(URLRequest(url: url)) == HTTPRequest(url: url))
    }

    @Test func headersThatTheEngineSetsAreOmitted() throws {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data("x".utf8)
        request.setValue("99", forHTTPHeaderField: "Content-Length")
        request.setValue("chunked", forHTTPHeaderField: "transfer-encoding")
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        #expect(try HTTPRequest(request).headers == [.contentType: "text/plain"])
    }

    @Test(
        arguments: [
            (60, nil), (0, nil), (-1, nil), (.nan, nil), (0.5, .milliseconds(500)), (1e9, .unlimited),
            (.infinity, .unlimited), (.greatestFiniteMagnitude, .unlimited),
        ] as [(Double, RequestOptions.TimeLimit?)])
    func aTimeoutOfFoundationBecomesAnOption(_ interval: Double, _ expected: RequestOptions.TimeLimit?) throws {
        var request = URLRequest(url: url)
        request.timeoutInterval = interval
        #expect(try HTTPRequest(request).options == RequestOptions(timeout: expected))
    }

    @Test func aStreamOrAMissingURLIsAnError() {
        var request = URLRequest(url: url)
        request.httpBodyStream = InputStream(data: Data("x".utf8))
        #expect { try HTTPRequest(request) } throws: { ($0 as? RequestError)?.code == .body }
        request.url = nil
        #expect { try HTTPRequest(request) } throws: { ($0 as? RequestError)?.code == .url }
    }
}
