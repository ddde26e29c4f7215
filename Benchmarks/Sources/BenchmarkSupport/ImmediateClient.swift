package import APIKit

/// An engine whose response is there already.
package struct ImmediateClient: APIClient {
    /// The system's clock.
    package var clock: any Clock<Duration> { ContinuousClock() }
    let body: Data

    /// Creates an engine that answers every request with these bytes.
    package init(body: Data) {
        self.body = body
    }

    /// The response.
    package func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        HTTPResponse(head: .init(status: 200, url: request.url), body: ResponseBody(body))
    }

    /// The response, for code written by hand.
    package func answer(_ request: URLRequest) -> (Data, Int) {
        (body, 200)
    }
}
