import APIKitCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Exchange {
    /// Reports the head of Foundation's response. A second final head is ignored, and so is a response that is not from
    /// HTTP, without which the exchange fails at its end.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - decodedCodings: The content codings that Foundation has decoded already; nil if the body had none.
    func receive(_ response: URLResponse, decoding decodedCodings: Set<String>? = nil) {
        guard let response = response as? HTTPURLResponse else { return }
        let isInformational = response.statusCode < 200
        if isInformational {
            // It does not restart the request's timeout, even if it restarts that of the session.
            checkTimeout()
        } else {
            receive(HTTPResponse.Head(response, url: response.url ?? request.url), decoding: decodedCodings)
        }
    }

    /// Reports Foundation's response and its whole body. Without a final response over HTTP, the exchange fails.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - body: The body.
    ///   - decodedCodings: The content codings that Foundation has decoded already; nil if the body had none.
    func finish(with response: URLResponse?, body: Data, decoding decodedCodings: Set<String>? = nil) {
        if let response = response as? HTTPURLResponse, response.statusCode >= 200 {
            let head = HTTPResponse.Head(response, url: response.url ?? request.url)
            finish(with: head, body: body, decoding: decodedCodings)
        } else {
            // The end without a head is the failure of an exchange that has no response.
            finish()
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
