extension HTTPResponse {
    /// Where a canned answer comes from, until ``StubClient`` says so.
    static let cannedURL = URL(string: "https://canned.invalid/")!  // a valid literal

    /// An answer of JSON text, for ``StubClient`` and tests of mapping.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.addMissing(from: [.contentType: MIMEType.json.rawValue])
        return .status(status, headers: headers, body: Data(text.utf8))
    }

    /// An answer of a status and, if there is one, a body, for ``StubClient`` and tests of mapping.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> HTTPResponse {
        HTTPResponse(head: Head(status: status, headers: headers, url: cannedURL), body: ResponseBody(body))
    }
}
