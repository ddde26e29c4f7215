import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// Reports a head as Foundation has it; a second one is ignored.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - codings: The content codings that were decoded, nil if the body comes as it is meant.
    func receive(_ response: URLResponse, decoding codings: Set<String>? = nil) {
        guard let response = response as? HTTPURLResponse else { return }
        if response.statusCode < 200 {
            checkTimeout()
        } else {
            receive(HTTPResponse.Head(response, url: response.url ?? request.url), decoding: codings)
        }
    }

    /// Ends as Foundation says.
    func end(_ error: (any Error)?) {
        if let error {
            fail(TransportError(error, for: request))
        } else {
            finish()
        }
    }
}
