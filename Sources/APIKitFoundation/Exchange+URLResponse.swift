import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// Reports the head of Foundation's response. A second final head is ignored.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - codings: The content codings that Foundation has decoded; nil if the body needs no decoding.
    func receive(_ response: URLResponse, decoding codings: Set<String>? = nil) {
        guard let response = response as? HTTPURLResponse else { return }
        let isInformational = response.statusCode < 200
        if isInformational {
            // It does not restart the request's timeout, even if it restarts that of the session.
            checkTimeout()
        } else {
            receive(HTTPResponse.Head(response, url: response.url ?? request.url), decoding: codings)
        }
    }

    /// Ends the exchange: with an error of Foundation, or successfully if there is none.
    func end(_ error: (any Error)?) {
        if let error {
            fail(TransportError(error, for: request))
        } else {
            finish()
        }
    }
}
