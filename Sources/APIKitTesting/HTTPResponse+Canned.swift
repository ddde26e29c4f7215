public import APIKitCore

extension HTTPResponse {
    /// The URL of a canned response, until ``StubClient`` replaces it.
    static let cannedURL = URL(string: "https://canned.invalid/")!  // a valid literal

    /// A response with JSON text, for ``StubClient`` and tests of mapping.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        .json(Data(text.utf8), status: status, headers: headers)
    }

    /// A response with the bytes of JSON, such as a fixture's contents.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> HTTPResponse {
        var headers = headers
        headers.addMissing(from: [.contentType: MIMEType.json.rawValue])
        return .status(status, headers: headers, body: data)
    }

    /// A response with a status and, if given, a body, for ``StubClient`` and tests of mapping.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> HTTPResponse {
        HTTPResponse(head: Head(status: status, headers: headers, url: cannedURL), body: ResponseBody(body))
    }
}
