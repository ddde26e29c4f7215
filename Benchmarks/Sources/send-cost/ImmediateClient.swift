import APIKitFoundation

/// An engine whose response is there already.
struct ImmediateClient: APIClient {
    let body: Data

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(body))
    }

    func answer(_ request: URLRequest) -> (Data, Int) {
        (body, 200)
    }
}
