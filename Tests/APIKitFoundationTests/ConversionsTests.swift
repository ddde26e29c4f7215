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
}
