extension HTTPRequest {
    /// Creates the request that a redirect asks for (RFC 9110, section 15.4); nil if the response is not a redirect, or
    /// leads to the same request again.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - origin: A URL of the origin that the call began at.
    /// - Returns: The request. If it leads away from the origin, it has no credentials.
    /// - Throws: ``TransportError`` for a location that cannot be followed.
    func requestAfterRedirect(_ head: HTTPResponse.Head, origin: URL) throws(TransportError) -> HTTPRequest? {
        var next = self
        switch head.status {
        case 301, 302: if method == .post { next.becomeGET() }
        case 303: if method != .head { next.becomeGET() }
        case 307, 308: break
        default: return nil
        }
        guard let location = try location(in: head) else { return nil }
        let reference = URIReference(location)
        // The same request would be redirected again.
        let isSameRequest = reference.isSameDocument && next.method == method
        if isSameRequest { return nil }
        next.url = try target(of: reference)
        if !next.url.hasSameOrigin(as: url) { next.headers[.host] = nil }

        guard let redirection = Redirection(to: next.url, from: origin) else { return next }
        if next.mayCarryCredentials(after: redirection) { return next }
        if next.body != nil, options.sendsBodyAcrossOrigins == false {
            let reason = "a redirect to \(Masking.url(next.url)) would carry the body to another origin"
            throw TransportError(.redirectRefused, reason, request: self)
        }
        // Headers dropped here are not restored if a later redirect returns to the first origin.
        return next.withoutForeignCredentials(after: redirection)
    }

    /// Whether a response is a redirect that `send` follows or fails on. In both cases its body is not needed.
    func isRedirected(by head: HTTPResponse.Head, in call: Call) -> Bool {
        guard options.effectiveRedirects != .refuse, 300..<400 ~= head.status else { return false }
        do {
            return try requestAfterRedirect(head, origin: call.redirection?.origin ?? url) != nil
        } catch {
            // `send` fails with this error later.
            return true
        }
    }

    /// The response's `Location`, nil if it has none.
    ///
    /// - Throws: ``TransportError`` if there is more than one.
    package func location(in head: HTTPResponse.Head) throws(TransportError) -> String? {
        let values = head.headers.values(for: .location)
        guard let first = values.first else { return nil }
        guard values.count == 1, !first.isListOfReferences else {
            throw TransportError(.badResponse, "the redirect has more than one Location", request: self)
        }
        return String(first.trimmingSpaces())
    }

    /// The URL that a location leads to.
    ///
    /// - Throws: ``TransportError`` if the location is not an http or https URL, or leads from https to http.
    package func target(of reference: URIReference) throws(TransportError) -> URL {
        let text = URIReference(url.absoluteString).resolving(reference.encodingStrayBytes).text
        guard !reference.hasDubiousAuthority, let target = URL(strict: text) else {
            throw TransportError(.badResponse, "the redirect's location is not a URL", request: self)
        }
        let isHTTP = target.scheme == "http" || target.scheme == "https"
        guard !isHTTP || target.host?.isEmpty == false else {
            throw TransportError(.badResponse, "the redirect's location names no host", request: self)
        }
        if isHTTP, let problem = text.portProblem {
            throw TransportError(.badResponse, "the redirect's location \(problem)", request: self)
        }
        guard isHTTP, target.scheme == "https" || url.scheme == "http" else {
            let reason = "a redirect from \(url.scheme ?? "") to \(Masking.url(target)) is not followed"
            throw TransportError(.redirectRefused, reason, request: self)
        }
        return target
    }

    /// Turns the request into a GET, without the body and the headers that describe it.
    private mutating func becomeGET() {
        method = .get
        body = nil
        let contentHeaders: [HTTPHeaders.Name] = [
            .contentType, .contentEncoding, .contentLanguage, "Content-Location", "Content-Digest", "Digest",
        ]
        headers.removeAll { contentHeaders.contains($0.name) }
    }
}

extension String {
    /// Whether this text is the values of several `Location` fields, which Foundation joins by a comma and a space.
    ///
    /// A valid URL may contain a comma, but no space. Some servers fail to encode spaces, though, so the text after the
    /// space must also look like the beginning of a URL.
    fileprivate var isListOfReferences: Bool {
        let text = Array(utf8)
        let commas = text.indices.filter { text[$0] == UInt8(ascii: ",") }
        return commas.contains { comma in
            let rest = text[(comma + 1)...]
            let next = rest.drop { " \t".utf8.contains($0) }
            guard next.count < rest.count, let first = next.first else { return false }
            let isRelativeReference = "/?#.".utf8.contains(first)
            return isRelativeReference || next.startsWithScheme
        }
    }
}
