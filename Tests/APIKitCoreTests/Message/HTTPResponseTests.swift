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

    @Test func descriptionIsOneMaskedLine() {
        let body = ResponseBody(Data(#"{"message": "no",\#n"access_token": "hunter2"}"#.utf8))
        let response = HTTPResponse(head: HTTPResponse.Head(status: 401, url: url), body: body)
        #expect(
            response.description
                == #"https://api.example.com/users?token=***&page=2: 401: {"message": "no", "access_token": "***"}"#)
    }

    @Test func descriptionOfEmptyBodyEndsWithStatus() {
        let response = HTTPResponse(head: HTTPResponse.Head(status: 204, url: url))
        #expect(response.description == "https://api.example.com/users?token=***&page=2: 204")
    }

    @Test func headDescriptionMasksHeaders() {
        let headers: HTTPHeaders = ["Set-Cookie": "sid=hunter2", "Server": "nginx"]
        let head = HTTPResponse.Head(status: 200, headers: headers, url: url)
        #expect(!head.description.contains("hunter2"))
        #expect(head.description.contains("Server: nginx"))
    }
}
