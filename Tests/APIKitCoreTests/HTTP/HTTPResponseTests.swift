import APIKitCore
import Foundation
import TestSupport
import Testing

@Suite struct HTTPResponseTests {
    private let url = URL(string: "https://user:hunter2@api.example.com/users?token=hunter2&page=2")!

    @Test func headReadsContentType() {
        let head = HTTPResponse.Head(status: 200, headers: ["content-type": "text/plain; charset=utf-8"], url: url)
        #expect(head.contentType?.essence == "text/plain")
        #expect(HTTPResponse.Head(status: 200, url: url).contentType == nil)
    }

    // RFC 9110, section 5.3: several fields of one name are joined by commas.
    @Test func equalContentTypesAreOne() {
        let type = "multipart/mixed; boundary=\"a, b\"; charset=utf-8"
        var headers: HTTPHeaders = [.contentType: type]
        func read() -> MIMEType? { HTTPResponse.Head(status: 200, headers: headers, url: url).contentType }
        #expect(read()?.rawValue == type)
        headers.append(type, for: .contentType)
        #expect(read()?.rawValue == type)
        #expect(read()?.parameter("charset") == "utf-8")
        headers = [.contentType: "text/html; charset=utf-8,text/html; charset=utf-8"]
        #expect(read()?.rawValue == "text/html; charset=utf-8")
        headers = [.contentType: "text/html, text/plain"]
        #expect(read()?.rawValue == "text/html, text/plain")
    }

    @Test func descriptionIsOneMaskedLineThatEndsWithTheBodyIfThereIsOne() {
        let body = ResponseBody(Data(#"{"message": "no",\#n"access_token": "hunter2"}"#.utf8))
        let response = HTTPResponse(head: HTTPResponse.Head(status: 401, url: url), body: body)
        #expect(
            response.description
                == #"https://api.example.com/users?token=***&page=2: 401: {"message": "no", "access_token": "***"}"#)
        let empty = HTTPResponse(head: HTTPResponse.Head(status: 204, url: url))
        #expect(empty.description == "https://api.example.com/users?token=***&page=2: 204")
        let headers: HTTPHeaders = ["Set-Cookie": "sid=hunter2", "Server": "nginx"]
        let head = HTTPResponse.Head(status: 200, headers: headers, url: url).description
        #expect(head.contains("Server: nginx") && !head.contains("hunter2"))
    }

    @Test func descriptionHasTheMethodAndMasksWhatTheRequestWasSentWith() {
        let request = HTTPRequest(
            method: .put, url: url, headers: [.authorization: "Bearer swordfish", "X-Shop-Key": "open sesame"],
            options: RequestOptions(secretNames: ["x-shop-key"]))
        let body = ResponseBody(Data("not swordfish, and not open sesame".utf8))
        let head = HTTPResponse.Head(status: 403, url: URL(string: "https://api.example.com/")!)
        let response = HTTPResponse(head: head, body: body, request: request)
        #expect(response.description == "PUT https://api.example.com/: 403: not ***, and not ***")
        var dumped = ""
        dump(response, to: &dumped)
        #expect(!dumped.contains("Bearer"))
    }

    @Test func equalityComparesAllParts() {
        let response = HTTPResponse(head: HTTPResponse.Head(status: 200, url: url), body: ResponseBody(Data([1])))
        #expect(response == HTTPResponse(head: HTTPResponse.Head(status: 200, url: url), body: ResponseBody(Data([1]))))
        let changes: [(inout HTTPResponse) -> Void] = [
            { $0.head.status = 201 }, { $0.body = ResponseBody(Data([2])) }, { $0.source = .cache },
            { $0.timing.sent = .zero }, { [url] in $0.request = HTTPRequest(url: url) },
            { $0.body = ResponseBody(ByteStream([Data([1])])) },
        ]
        for change in changes {
            var other = response
            change(&other)
            #expect(response != other)
        }
        let stream = ResponseBody(ByteStream([Data([1])]))
        #expect(stream == stream && stream != ResponseBody(ByteStream([Data([1])])))
    }
}
