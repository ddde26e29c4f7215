package import APIKitSupport

// Redirects: whether a response is one, where it leads to, and how often `send` follows. What a request may carry to
// another origin is in `HTTPRequest+Origin.swift`.

extension APIClient {
    /// Performs a request, and the requests that its redirects lead to. Each of them passes through all clients.
    ///
    /// Only the last response is kept. This function has few local variables on purpose, since they stay in memory as
    /// long as the request is in flight.
    func followRedirects(from request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        var request = request
        var redirectCount = 0
        while true {
            try Task.checkCancellation()
            let response: HTTPResponse
            do {
                response = try await perform(request, in: call)
            } catch {
                throw request.identifying(error)
            }
            guard let next = try request.nextRequest(after: response, redirectCount: redirectCount, in: call) else {
                // With the names, descriptions of the response mask secrets. Consumed, so that no second copy of the
                // response is kept.
                return call.addingSecretNames(to: consume response, of: request)
            }
            // Checked here too, since the deadline's timer may get no thread while this loop runs: clients that never
            // suspend, such as stubs, may occupy all of them.
            if call.hasMissedDeadline { throw call.missedDeadline.withRequest(next) }
            call.recordRedirect(from: request.url, to: next.url)
            request = next
            redirectCount += 1
        }
    }
}

/// What `send` does after a response.
enum RedirectDecision {
    /// Returns the response: it is not a redirect, or redirects are not followed.
    case deliver
    /// Sends another request.
    case follow(HTTPRequest)
    /// Fails: the redirect cannot or must not be followed.
    case fail(TransportError)
}

extension HTTPRequest {
    /// Decides what `send` does after a response with this head: deliver it, follow it as a redirect, or fail.
    ///
    /// This is called twice for a response over an engine: by ``Exchange``, which receives the whole body only if the
    /// response is delivered, and by `send`. The exchange cannot decide for `send`: clients may replace the response on
    /// its way, and `send` builds the next request from its own one, to which clients have not yet added credentials.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - policy: How redirects are handled. With `refuse`, the redirect itself is the response that `send` returns.
    ///   - call: The call of the request.
    /// - Returns: The decision. The limit of redirects is not part of it.
    func redirectDecision(
        after head: HTTPResponse.Head, policy: RequestOptions.RedirectPolicy, in call: Call
    ) -> RedirectDecision {
        let followsRedirects = policy != .refuse
        guard followsRedirects && head.mayBeRedirect else { return .deliver }
        do throws(TransportError) {
            guard let next = try requestAfterRedirect(head, origin: call.firstOrigin(or: url)) else { return .deliver }
            return .follow(next)
        } catch {
            return .fail(error)
        }
    }

    /// Returns the request that follows a response if that is a redirect.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - redirectCount: How many redirects `send` has followed before.
    ///   - call: The call.
    /// - Returns: The request; nil if the response is to be returned.
    /// - Throws: ``TransportError`` if the redirect cannot be followed, or exceeds the limit.
    fileprivate func nextRequest(
        after response: HTTPResponse, redirectCount: Int, in call: Call
    ) throws(TransportError) -> HTTPRequest? {
        // Most responses need no more than this cheap test.
        guard response.head.mayBeRedirect else { return nil }
        let policy = redirectPolicy(for: response)
        switch redirectDecision(after: response.head, policy: policy, in: call) {
        case .deliver:
            return nil
        case .fail(let error):
            throw error
        case .follow(let next):
            if let limit = policy.limit, redirectCount >= limit {
                throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: self)
            }
            return next
        }
    }

    /// Returns how the redirect in a response to this request is handled.
    ///
    /// A client may have changed the options before the request was sent. `response.request` has the changed options,
    /// so they decide if they have a policy. Otherwise this request decides.
    private func redirectPolicy(for response: HTTPResponse) -> RequestOptions.RedirectPolicy {
        if let policyAsSent = response.request?.options.redirects { return policyAsSent }
        return options.effectiveRedirects
    }

    /// Returns an error that a client threw, with the method and URL of this request.
    ///
    /// | The error | is returned |
    /// | --- | --- |
    /// | a ``TransportError`` or ``RequestError`` | with the method and URL, unless it has its own |
    /// | a cancel | as it is |
    /// | the ``APIError`` of another request, such as a token refresh, with one of these errors in it | as it is |
    /// | any other | as the underlying error of a ``TransportError`` |
    fileprivate func identifying(_ error: any Error) -> any Error {
        switch error {
        case let error as TransportError:
            return error.withRequest(self)
        case let error as RequestError:
            return error.withRequest(method: method, url: url)
        case _ where Task.isCancelled || error is Call.Cancellation:
            return error
        case let error as any APIFailure where error.requestError != nil || error.transportError != nil:
            return error
        default:
            return TransportError(.other, request: self, underlying: error)
        }
    }
}

extension HTTPResponse.Head {
    /// Whether the status is 300 to 399, those of redirects and of 304.
    var mayBeRedirect: Bool { 300..<400 ~= status }
}

extension Call {
    /// A URL of the origin that the call began at: `url`, unless a redirect has led to another origin.
    fileprivate func firstOrigin(or url: URL) -> URL { redirection?.origin ?? url }

    /// Records whether a redirect has led the call away from its first origin. A redirect that returns to the first
    /// origin removes the record.
    fileprivate func recordRedirect(from url: URL, to target: URL) {
        redirection = Redirection(to: target, from: firstOrigin(or: url))
    }
}

// MARK: - The redirected request

extension HTTPRequest {
    /// Creates the request that a redirect asks for (RFC 9110, section 15.4).
    ///
    /// | Status | The next request |
    /// | --- | --- |
    /// | 301, 302 | a GET if this request is a POST, as in browsers; otherwise the same method and body |
    /// | 303 | a GET, or a HEAD if this request is one |
    /// | 307, 308 | the same method and body |
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - origin: A URL of the origin that the call began at.
    /// - Returns: The request, without credentials if it leads away from the origin. Nil if the response is not a
    ///   redirect, or if it asks for the same request again: its location is empty or only a fragment such as `#top`.
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
        if asksForSameRequest(reference, method: next.method) { return nil }
        next.url = try target(of: reference)
        // A `Host` header that a caller has set belongs to the old origin.
        if !next.url.hasSameOrigin(as: url) { next.headers[.host] = nil }
        return try protectingOrigin(origin, in: next)
    }

    /// Whether a redirect asks for this request again: its location is empty or only a fragment such as `#top`, and the
    /// method stays the same. Such a redirect is not followed, since the server would redirect again.
    ///
    /// A location that spells out the URL of this request does not count. Some servers set a cookie and redirect to the
    /// same URL, and respond differently once they receive the cookie.
    private func asksForSameRequest(_ location: URIReference, method nextMethod: HTTPMethod) -> Bool {
        location.isSameDocument && nextMethod == method
    }

    /// Removes the credentials from a redirected request if the redirect leads to another origin. Fails if the body
    /// must not be sent there.
    ///
    /// Removed headers are not restored if a later redirect returns to the first origin.
    ///
    /// - Parameters:
    ///   - origin: A URL of the origin that the call began at.
    ///   - redirected: The request that the redirect asks for. This request is the one that was redirected.
    /// - Returns: The redirected request. It is unchanged if it stays at the origin, or goes to a host that may see
    ///   everything.
    /// - Throws: ``TransportError`` if the redirected request has a body that must not leave the origin.
    private func protectingOrigin(
        _ origin: URL, in redirected: HTTPRequest
    ) throws(TransportError) -> HTTPRequest {
        guard let redirection = Redirection(to: redirected.url, from: origin) else {
            // The redirect stays at the origin.
            return redirected
        }
        guard redirected.mayCarryBody(after: redirection) else {
            let reason = "a redirect to \(Masking.url(redirected.url)) would carry the body to another origin"
            throw TransportError(.redirectRefused, reason, request: self)
        }
        return redirected.withoutForeignCredentials(after: redirection)
    }

    /// Turns the request into a GET, without the body and the headers that describe it. `Content-Length` is not among
    /// them, since only engines set it.
    private mutating func becomeGET() {
        method = .get
        body = nil
        let contentHeaders: [HTTPHeaders.Name] = [
            .contentType, .contentEncoding, .contentLanguage, "Content-Location", "Content-Digest", "Digest",
        ]
        headers.removeAll { contentHeaders.contains($0.name) }
    }
}

// MARK: - The location

extension HTTPRequest {
    /// Returns the response's `Location`, nil if it has none.
    ///
    /// - Throws: ``TransportError`` if there is more than one.
    package func location(in head: HTTPResponse.Head) throws(TransportError) -> String? {
        let values = head.headers.values(for: .location)
        guard let first = values.first else { return nil }
        // Foundation joins fields of the same name to one, with a comma and a space between them. A valid URL may have
        // a comma, but no space after it.
        guard values.count == 1, !first.isListOfReferences else {
            throw TransportError(.badResponse, "the redirect has more than one Location", request: self)
        }
        return String(first.trimmingSpaces())
    }

    /// Returns the URL that a location leads to.
    ///
    /// - Throws: ``TransportError`` if the location is not an http or https URL with a host and a valid port, or leads
    ///   from https to http.
    package func target(of reference: URIReference) throws(TransportError) -> URL {
        let text = URIReference(url.absoluteString).resolving(reference.encodingStrayBytes).text
        let notURL = TransportError(.badResponse, "the redirect's location is not a URL", request: self)
        // Programs could disagree about the host, for example of `https://good.example\@evil.example`.
        if reference.hasDubiousAuthority { throw notURL }
        guard let target = URL(strict: text) else { throw notURL }
        guard target.scheme == "http" || target.scheme == "https" else { throw refusal(of: target) }
        guard target.host?.isEmpty == false else {
            throw TransportError(.badResponse, "the redirect's location names no host", request: self)
        }
        if let problem = text.portProblem {
            throw TransportError(.badResponse, "the redirect's location \(problem)", request: self)
        }
        // The request's own scheme is http or https. In capitals, `HTTP` counts as https, so that too much is refused
        // rather than too little.
        let isEncrypted = url.scheme != "http"
        let wouldLoseEncryption = isEncrypted && target.scheme == "http"
        if wouldLoseEncryption { throw refusal(of: target) }
        return target
    }

    /// Returns the error for a redirect to a scheme that is not followed.
    private func refusal(of target: URL) -> TransportError {
        let reason = "a redirect from \(url.scheme ?? "") to \(Masking.url(target)) is not followed"
        return TransportError(.redirectRefused, reason, request: self)
    }
}

extension String {
    /// Whether this text consists of the values of several `Location` fields, as in `/a, /b`: Foundation joins them by
    /// a comma and a space.
    ///
    /// A valid URL may contain a comma, but no space. Some servers fail to encode spaces, though, so the text after the
    /// space must also look like the beginning of a URL.
    fileprivate var isListOfReferences: Bool {
        let text = Array(utf8)
        let commas = text.indices.filter { text[$0] == UInt8(ascii: ",") }
        return commas.contains { comma in
            let afterComma = text[(comma + 1)...]
            let next = afterComma.drop { " \t".utf8.contains($0) }
            let hasSpace = next.count < afterComma.count
            guard hasSpace, let first = next.first else { return false }
            let isRelativeReference = "/?#.".utf8.contains(first)
            return isRelativeReference || next.startsWithScheme
        }
    }
}
