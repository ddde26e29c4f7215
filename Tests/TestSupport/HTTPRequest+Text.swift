package import APIKitCore
import Foundation
package import Testing

extension HTTPRequest {
    package init(
        _ url: String, headers: HTTPHeaders = [:], body: RequestBody? = nil, delivery: ResponseBody.Delivery = .data
    ) {
        self.init(.get, url, headers: headers, body: body, delivery: delivery)
    }

    package init(
        _ method: HTTPMethod, _ url: String, headers: HTTPHeaders = [:], body: RequestBody? = nil,
        delivery: ResponseBody.Delivery = .data
    ) {
        self.init(method: method, url: URL(string: url)!, headers: headers, body: body, delivery: delivery)
    }
}

extension APIClient {
    /// The error that performing a request throws; the test fails if that is nothing, or another error.
    package func failure(
        of request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { try await perform(request) }
    }
}
