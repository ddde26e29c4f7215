import APIKitCore
import Foundation
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

    @Test func totalIsTimeFromQueuedToFinishedIfBothAreKnown() {
        let start = ContinuousClock.now
        #expect(HTTPResponse.Timing(queued: start, sent: start, finished: start + .seconds(3)).total == .seconds(3))
        #expect(HTTPResponse.Timing().total == nil)
        #expect(HTTPResponse.Timing(queued: start).total == nil)
        #expect(HTTPResponse.Timing(finished: start).total == nil)
    }
}
