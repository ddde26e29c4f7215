public import APIKitCore
import APIKitSupport

extension APIClient {
    /// Returns a client that sends a credential with each request for the given base URLs.
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(
    ///     by: .bearer(token), for: "https://api.github.com")
    /// ```
    ///
    /// A request gets the credential if its URL has the scheme, host and port of a base URL and a path that begins with
    /// the segments of its path; after a redirect, too, unless that leads to another origin. A request with its own
    /// header or query parameter of the credential's name is passed on unchanged, and so is one whose
    /// ``RequestOptions/addsCredentials`` is false.
    ///
    /// ### Refused credentials
    ///
    /// If the server refuses a credential, by default with the status 401 (RFC 9110, section 15.5.2), the source is
    /// asked for another one, once for any number of requests. Each request is then sent again, until the source has no
    /// other; a request is sent at most 20 times. A credential that expires within the leeway is replaced before it is
    /// sent.
    ///
    /// A refusal with the status 403 concerns only its request. If the source has no other credential for that one,
    /// other requests are still sent with the old one.
    ///
    /// Otherwise, a refused credential is not sent again, even if the source keeps returning it (the last 1,000 are
    /// remembered). Without another one, the caller receives the refusal, with at most 64 KiB of its body, and later
    /// requests are sent without a credential. A ``Credential`` that is given directly is sent with every request.
    ///
    /// If an API refuses in another way, for example a key whose quota is used up, pass a function, or let the source
    /// decide (``CredentialSource/isRefusal(_:)``):
    ///
    /// ```swift
    /// let client = URLSession.api.authorized(by: keys, for: .assistant) { response in
    ///     response.head.status == 401
    ///         || response.body.text?.contains("insufficient_quota") == true
    /// }
    /// ```
    ///
    /// ### Errors
    ///
    /// If the source throws, requests that wait for it or are in flight fail, unless their credential is still valid. A
    /// later request asks again. <doc:Authentication> shows a source.
    ///
    /// Requests throw a ``RequestError`` for an invalid credential, and one with the code `baseURL` if a base URL is
    /// invalid or missing, or if a request over http is for a base URL over https. If an endpoint's own requests get
    /// the credential and its ``PagedRequest/pageLink`` leads to a URL that is not below a base URL, the code is
    /// `link`: without the credential, the server would refuse the page or return less.
    ///
    /// - Parameters:
    ///   - source: A ``Credential``, or a source of credentials.
    ///   - bases: Where the credential may be sent, such as `"https://api.example.com/v2"` or the base of an API. Only
    ///     their URLs matter.
    ///   - leeway: How long before its expiry a credential is replaced. It covers the time on the way.
    ///   - isRefusal: Whether a response with a status from 400 means that the credential was refused, by its head and
    ///     the first 64 KiB of its body. By default, the source decides.
    /// - Returns: The client.
    public func authorized(
        by source: some CredentialSource,
        for bases: APIBase...,
        leeway: Duration = .seconds(30),
        isRefusal: (@Sendable (HTTPResponse) -> Bool)? = nil
    ) -> some APIClient {
        let isRefused = isRefusal ?? { source.isRefusal($0) }
        return AuthorizedClient(
            base: self,
            scope: Result { () throws(RequestError) in
                guard !bases.isEmpty else {
                    throw RequestError(.baseURL, "the client has a credential, but no base URL to send it to")
                }
                // An inner client may send the requests for a base to another one, such as a test server.
                return try bases.map { api throws(RequestError) in try URLScope(base(insteadOf: api)) }
            },
            keeper: CredentialKeeper(source: source, leeway: leeway, now: clock.dates()),
            isRefusal: { $0.head.mayBeRefusal && isRefused($0) })
    }
}

private struct AuthorizedClient: WrappingClient {
    let base: any APIClient
    /// The base URLs that the credential may be sent to, or the error that each request throws if one of them is
    /// invalid or none is given.
    let scope: Result<[URLScope], RequestError>
    let keeper: CredentialKeeper
    /// Whether a response means that the credential was refused.
    let isRefusal: @Sendable (HTTPResponse) -> Bool

    /// Sends a request with the current credential or, if it may not carry one or there is none, without.
    func perform(_ request: HTTPRequest, in call: Call) async throws -> HTTPResponse {
        guard try mayCarryCredential(request, in: call) else { return try await base.perform(request, in: call) }
        // If the source fails after this moment, this request does not ask it again.
        let lastFailure = keeper.lastFailure
        guard let credential = try await keeper.credential(for: request, since: lastFailure) else {
            return try await base.perform(request, in: call)
        }
        if keeper.canReplace {
            return try await sendReplacingRefused(credential, with: request, since: lastFailure, in: call)
        } else {
            return try await send(request, with: credential, in: call)
        }
    }

    /// Sends a request with a credential. If the server refuses it, sends the request again with its replacement, until
    /// a credential is accepted or there is no other.
    ///
    /// - Returns: The last response. If it refuses its credential, too, it has only the beginning of the body
    ///   unless the request was sent as often as it may be.
    private func sendReplacingRefused(
        _ first: Credential, with request: HTTPRequest, since lastFailure: Int, in call: Call
    ) async throws -> HTTPResponse {
        // While the request may be repeated, only the beginning of a refusal's body is received.
        let repeatableCall = call.replacing { $0.mayBeRefusal }
        var credential = first
        var sendCount = 0
        while true {
            sendCount += 1
            let isLast = sendCount == Self.sendLimit
            let response = try await send(request, with: credential, in: isLast ? call : repeatableCall)
            guard isRefusal(response) else { return response }
            // Without a stream, which would occupy a place in a limited client while the credential is replaced.
            var refusal = response
            refusal.body = response.body.withoutStream
            let next: Credential?
            if refusal.concernsOnlyItsRequest {
                if isLast { return response }
                next = try await keeper.credential(sufficingInsteadOf: credential, refusedBy: refusal, for: request)
            } else {
                keeper.refuse(credential, with: refusal)
                if isLast { return response }
                next = try await keeper.credential(for: request, since: lastFailure)
            }
            guard let next, next != credential else { return refusal }
            credential = next
        }
    }

    /// The maximum number of times that a request is sent, in case the source never runs out of credentials.
    private static let sendLimit = 20

    /// Whether a credential may be added to a request: its options allow it, it goes to a base URL and not to the
    /// target of a redirect to another origin, and it is not a request of the source itself.
    ///
    /// - Throws: ``RequestError`` with the code `baseURL` if a base URL is invalid, or if only the scheme differs from
    ///   it; with the code `link` if the link to a page leads out of the base URLs.
    private func mayCarryCredential(_ request: HTTPRequest, in call: Call) throws(RequestError) -> Bool {
        if request.options.addsCredentials == false { return false }
        // Otherwise the engine would remove the credential, and the 401 that follows would count as its refusal.
        guard request.mayCarryCredentials(in: call) else { return false }
        // The source's own requests, such as a token refresh, are sent without a credential.
        return try covers(request, in: call) && !keeper.isWithinSource
    }

    /// Whether a request's URL is below one of the base URLs.
    ///
    /// - Throws: ``RequestError`` with the code `baseURL` if only the scheme differs: http instead of https; with the
    ///   code `link` if the link to a page leads out of the base URLs.
    private func covers(_ request: HTTPRequest, in call: Call) throws(RequestError) -> Bool {
        let scopes = try scope.get()
        let url = request.lazyURL.text
        if scopes.contains(where: { $0.contains(url) }) { return true }
        // Without these errors, a wrong scheme and a page elsewhere would only be noticed as requests without a
        // credential.
        if let secure = url.withSecureScheme, scopes.contains(where: { $0.contains(secure) }) {
            let problem =
                "the client's credential is for https, and this URL has the scheme http: make them the same, or set "
                + "`options.addsCredentials` to false to send the request without a credential"
            throw RequestError(.baseURL, problem, method: request.method, url: request.url)
        }
        if leavesScope(call.endpoint, scopes) {
            let bases = scopes.map(\.description).joined(separator: ", ")
            let problem =
                "the link of this request leads out of the base URLs of the client's credential (\(bases)): authorize "
                + "the client for the whole origin, or set `options.addsCredentials` to false to send the request without "
                + "a credential"
            throw RequestError(.link, problem, method: request.method, url: request.url)
        }
        return false
    }

    /// Whether the link of an endpoint, such as that of a page, leads out of the base URLs, while the base of the
    /// endpoint is one of them or below one. A redirect may lead out, since its target often needs no credential.
    private func leavesScope(_ endpoint: (any APIRequest)?, _ scopes: [URLScope]) -> Bool {
        guard let endpoint = endpoint as? any LinkedRequest, endpoint.requestLink != nil else { return false }
        let endpointBase = base.base(insteadOf: endpoint.base)
        guard let root = endpointBase.url?.absoluteString, scopes.contains(where: { $0.contains(root) }) else {
            return false
        }
        guard let linked = try? endpoint.httpRequest(base: endpointBase) else { return false }
        return !scopes.contains { $0.contains(linked.lazyURL.text) }
    }

    /// Sends a request once, with a credential, and removes the credential from the response or the error.
    private func send(
        _ request: HTTPRequest, with credential: Credential, in call: Call
    ) async throws -> HTTPResponse {
        let authorized = try credential.added(to: request)
        // Descriptions of the call's responses mask the value of a header or query item with this name.
        if let name = credential.place.name { call.conceal(name) }
        do {
            var response = try await base.perform(authorized, in: call)
            // Descriptions of the response use this request to mask its credential.
            if response.request == nil { response.request = authorized }
            return try credential.removed(from: response)
        } catch {
            throw credential.removed(from: error)
        }
    }
}

extension HTTPResponse {
    /// Whether this refusal does not mean that the credential is invalid: with the status 403, the server has
    /// understood it, and it does not suffice for this request (RFC 9110, section 15.5.4).
    fileprivate var concernsOnlyItsRequest: Bool { head.status == 403 }
}

extension HTTPResponse.Head {
    /// Whether a response with this head can mean that a credential was refused. A success or a redirect cannot.
    fileprivate var mayBeRefusal: Bool { status >= 400 }
}

extension String {
    /// The same URL with the scheme https; nil if the scheme of this one is not http.
    fileprivate var withSecureScheme: String? {
        guard utf8.prefix(5).map(\.lowercasedASCII) == Array("http:".utf8) else { return nil }
        return "https" + dropFirst("http".count)
    }
}
