import APIKitCore
import Foundation
import TestSupport

/// Stands in for a browser and its user: opens a URL and follows redirects until one leads to the client.
final class UserAgent: Sendable {
    /// The page at which the browser remained.
    struct NoRedirect: Error {
        let status: Int
        let text: String
    }

    /// The redirect URI of clients in tests.
    static let redirectURI = "http://127.0.0.1:46046/callback"

    private let opened = Recorder<URL>()
    private let tamper: @Sendable (inout FormFields) -> Void

    /// Creates a browser.
    ///
    /// - Parameter tamper: Changes the parameters with which the browser returns to the client.
    init(tamper: @escaping @Sendable (inout FormFields) -> Void = { _ in }) { self.tamper = tamper }

    /// The URLs that were opened.
    var openedURLs: [URL] { opened.values }

    /// Opens an authorization URL, and returns the URL with which the browser returns to the client.
    ///
    /// - Throws: ``NoRedirect`` if the server shows a page.
    func open(_ url: URL) async throws -> URL {
        opened.append(url)
        let options = RequestOptions(redirects: .refuse)
        let response = try await browserNetwork.perform(HTTPRequest(url: url, options: options))
        guard let location = response.head.headers[.location], let target = URL(string: location) else {
            throw NoRedirect(status: response.head.status, text: response.body.text ?? "")
        }
        guard var components = URLComponents(url: target, resolvingAgainstBaseURL: false),
            var fields = FormFields(encoded: components.percentEncodedQuery ?? "")
        else { return target }
        tamper(&fields)
        components.percentEncodedQuery = fields.encoded
        return components.url ?? target
    }
}
