import APIKitCore
import APIKitSupport

extension Credential {
    /// Whether a request already has a header or query item of this credential's name, which is then sent instead. For
    /// a missing credential, whether it has an `Authorization` header, since a replacement would be sent there.
    func isOverridden(by request: HTTPRequest) -> Bool {
        switch place {
        case .header(let name): request.headers.contains { $0.name == name }
        case .query(let name): request.url.queryItems.contains { $0.queryItemName == name }
        case .nowhere: request.headers[.authorization] != nil
        }
    }

    /// The request with this credential; the same request if the credential is missing.
    ///
    /// - Throws: ``RequestError`` if the credential cannot be sent.
    func added(to request: HTTPRequest) throws(RequestError) -> HTTPRequest {
        if let problem { throw problem }
        var request = request
        switch place {
        case .header(let name):
            // The `Authorization` header is always masked, so its name need not be listed.
            if name != .authorization { request.options.secretNames.insert(name.rawValue) }
            request.headers.append(value, for: name)
        case .query(let name):
            request.options.secretNames.insert(name)
            guard let url = request.url.withQueryItems(request.url.queryItems + [Array(value.utf8)[...]]) else {
                throw RequestError(.url, "a credential cannot be added to the URL")
            }
            request.url = url
        case .nowhere:
            break
        }
        return request
    }

    // MARK: - Keeping it secret

    /// Returns a response without this credential in its URLs and its description. A redirect to a `Location` with the
    /// credential could carry it to another origin.
    ///
    /// - Throws: ``TransportError`` with the code `redirectRefused` if a redirect to another origin repeats the
    ///   credential in a form that cannot be removed.
    func removed(from response: HTTPResponse) throws -> HTTPResponse {
        // Only a credential in the query is part of a URL.
        guard place.isQuery else { return response }
        var response = response
        response.head.url = removed(from: response.head.url)
        try removeFromLocation(of: &response.head)
        if response.head.headers[.link] != nil {
            response.head.headers = response.head.headers.replacingLinkTargets { removed(fromReference: $0) }
        }
        response.body = response.body.readingStream { next in
            do { return try await next() } catch { throw self.removed(from: error) }
        }
        return response
    }

    /// Removes this credential from the target of a redirect.
    ///
    /// - Throws: ``TransportError`` with the code `redirectRefused` if the target has another origin and still contains
    ///   the credential, for example in its path.
    private func removeFromLocation(of head: inout HTTPResponse.Head) throws(TransportError) {
        let locations = head.headers.values(for: .location)
        // Engines do not follow a response with more than one `Location`.
        guard locations.count == 1 else { return }
        let location = removed(fromReference: locations[0])
        if location != locations[0] { head.headers[.location] = location }
        guard isPart(of: location) else { return }
        // The rest of the location contains the credential, too. Only its own origin may receive that.
        let base = URIReference(head.url.absoluteString)
        let target = URL(strict: base.resolving(URIReference(location)).text)
        guard let target, target.hasSameOrigin(as: head.url) else {
            let message = "the redirect to another origin repeats a credential of the query"
            throw TransportError(.redirectRefused, message, url: head.url)
        }
    }

    /// Returns an error without this credential in its message, its URL and its underlying error. Another error that
    /// quotes the credential is replaced by a ``TransportError`` with its masked text.
    func removed(from error: any Error) -> any Error {
        switch error {
        case let error as TransportError:
            var underlying = error.underlying
            // The error of a network library may quote the URL, and cannot be masked.
            if let quoting = underlying, isPart(of: String(reflecting: quoting)) { underlying = nil }
            return TransportError(
                error.code, error.message.map(masked), method: error.method, url: error.url.map(removed(from:)),
                underlying: underlying)
        case let error as RequestError:
            return RequestError(
                error.code, masked(error.message), method: error.method, url: error.url.map(removed(from:)))
        case is CancellationError:
            return error
        default:
            guard isPart(of: String(reflecting: error)) else { return error }
            return TransportError(.other, masked(ErrorText.whole(error)))
        }
    }

    /// Returns a URL without this credential's query item.
    private func removed(from url: URL) -> URL {
        guard place.isQuery else { return url }
        return URL(strict: removed(fromReference: url.absoluteString)) ?? url
    }

    /// Returns a URI reference without this credential's query item: `/items?appid=key&page=2` becomes `/items?page=2`.
    private func removed(fromReference text: String) -> String {
        var reference = URIReference(text)
        // The server may have encoded the item in another way, so decoded items are compared.
        let ownItem = Self.decoded(Array(value.utf8)[...])
        let ampersand = UInt8(ascii: "&")
        let items = reference.query?.split(separator: ampersand, omittingEmptySubsequences: false) ?? []
        let kept = items.filter { Self.decoded($0) != ownItem }
        guard kept.count < items.count else { return text }
        if kept.isEmpty {
            reference.query = nil
        } else {
            reference.query = kept.joined(by: ampersand)[...]
        }
        return reference.text
    }

    private static func decoded(_ item: ArraySlice<UInt8>) -> String {
        String(decoding: item, as: UTF8.self).removingPercentEncodingOfASCII
    }

    /// Returns the texts that must be masked to hide a credential: the value of a header with and without a scheme such
    /// as `Bearer`, or the value of a query item, each also percent-decoded.
    static func secrets(in value: String, at place: CredentialPlace) -> [String] {
        switch place {
        case .header:
            return SecretForms.spellings(of: SecretForms.withAndWithoutScheme(value))
        case .query:
            let afterName = value.utf8.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            return SecretForms.spellings(of: [String(Substring(afterName))])
        case .nowhere:
            return []
        }
    }

    /// Whether a text contains the value, also if it was percent-encoded up to three times more, such as within a URL
    /// that is a query item of another one.
    private func isPart(of text: String) -> Bool {
        let encodingLimit = 3
        var decodedText = text
        for _ in 0...encodingLimit {
            if secrets.contains(where: { decodedText.contains(bytesOf: $0) }) { return true }
            decodedText = decodedText.fullyDecoded
        }
        return false
    }

    private func masked(_ text: String) -> String { Masking.masked(text, hiding: secrets) }
}

/// The place of a credential in a request.
enum CredentialPlace: Sendable, Hashable {
    case header(HTTPHeaders.Name)
    /// The name, with percent-encoded ASCII characters decoded, as in ``ArraySlice/queryItemName``.
    case query(String)
    /// Nothing is sent: the credential stands for a missing one with this number.
    case nowhere(Int)

    var isQuery: Bool {
        if case .query = self { true } else { false }
    }

    /// The name of the header or the query item; nil if nothing is sent.
    var name: String? {
        switch self {
        case .header(let name): name.rawValue
        case .query(let name): name
        case .nowhere: nil
        }
    }
}
