extension Credential {
    /// Whether a request already has a header or query item of this credential's name.
    func isOverridden(by request: HTTPRequest) -> Bool {
        switch place {
        case .header(let name): request.headers.contains { $0.name == name }
        case .query(let name): request.url.queryItems.contains { $0.queryItemName == name }
        }
    }

    /// The request with this credential.
    ///
    /// - Throws: ``RequestError`` if the credential cannot be sent.
    func added(to request: HTTPRequest) throws(RequestError) -> HTTPRequest {
        if let problem { throw problem }
        var request = request
        // That header is masked anyway.
        if place != .header(.authorization) { request.credentialPlaces.insert(place) }
        switch place {
        case .header(let name):
            request.headers.append(value, for: name)
        case .query:
            guard let url = request.url.withQueryItems(request.url.queryItems + [Array(value.utf8)[...]]) else {
                throw RequestError(.baseURL, "a credential cannot be added to the URL")
            }
            request.url = url
        }
        return request
    }

    // MARK: - Keeping it secret

    /// The response to a request, without this credential in its URLs. If it stayed in a `Location`, a redirect could
    /// carry it to another origin.
    func removed(from response: HTTPResponse) -> HTTPResponse {
        guard place.isQuery else { return response }
        var response = response
        response.head.url = removed(from: response.head.url)
        let locations = response.head.headers.values(for: .location)
        if locations.count == 1, locations[0].contains("?") {
            response.head.headers[.location] = removed(fromReference: locations[0])
        }
        response.body = response.body.readingStream { next in
            do { return try await next() } catch { throw self.removed(from: error) }
        }
        return response
    }

    /// What was thrown instead of a response, without this credential.
    func removed(from error: any Error) -> any Error {
        guard place.isQuery else { return error }
        switch error {
        case let error as TransportError:
            // Errors of a network library can quote the URL.
            let underlying = error.underlying.flatMap { isPart(of: String(reflecting: $0)) ? nil : $0 }
            return TransportError(
                error.code, error.message.map(masked), method: error.method, url: error.url.map(removed(from:)),
                underlying: underlying)
        case let error as RequestError:
            return RequestError(
                error.code, masked(error.message), method: error.method, url: error.url.map(removed(from:)))
        default:
            return error
        }
    }

    private func removed(from url: URL) -> URL {
        URL(strict: removed(fromReference: url.absoluteString)) ?? url
    }

    /// A URI reference without this credential's query item.
    private func removed(fromReference text: String) -> String {
        var reference = URIReference(text)
        let own = Self.decoded(Array(value.utf8)[...])
        let ampersand = UInt8(ascii: "&")
        let items = reference.query?.split(separator: ampersand, omittingEmptySubsequences: false) ?? []
        let kept = items.filter { Self.decoded($0) != own }
        guard kept.count < items.count else { return text }
        reference.query = kept.isEmpty ? nil : Array(kept.joined(separator: [ampersand]))[...]
        return reference.text
    }

    private static func decoded(_ item: ArraySlice<UInt8>) -> String {
        String(decoding: item, as: UTF8.self).removingPercentEncodingOfASCII
    }

    private var secrets: [String] {
        let encoded = value.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        return [encoded, encoded.removingPercentEncodingOfASCII].filter { !$0.isEmpty }
    }

    private func isPart(of text: String) -> Bool {
        secrets.contains { text.contains($0) }
    }

    private func masked(_ text: String) -> String {
        secrets.reduce(text) { $0.replacing($1, with: Masking.mask) }
    }
}
