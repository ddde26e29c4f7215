import APIKitCore
import APIKitUploads
import Foundation
import Testing

@Suite struct UploadedFileTests {
    /// If the response to the creation is the last one, its own URL is not that of the upload.
    @Test(
        arguments: [
            (201, "/files/7", "https://api.example/files/7"), (201, "https://b.example/7", "https://b.example/7"),
            (201, nil, "https://api.example/files"), (204, nil, "https://api.example/files"),
            (204, "/7", "https://api.example/files"), (201, "http://[", "https://api.example/files"),
        ] as [(Int, String?, String)])
    func hasTheURLOfTheUpload(status: Int, location: String?, expected: String) async throws {
        let url = try #require(URL(string: "https://api.example/files"))
        var headers: HTTPHeaders = ["Upload-Offset": "5"]
        if let location { headers[.location] = location }
        let response = HTTPResponse(
            head: HTTPResponse.Head(status: status, headers: headers, url: url), body: ResponseBody(Data()),
            request: HTTPRequest(url: url))
        let file = try await UploadedFile.process(response: response)
        #expect(file.url.absoluteString == expected)
        #expect(file.headers["Upload-Offset"] == "5")
    }
}
