import APIKitSupport

/// Records that a redirect has led a request away from the origin that its call began at, or that this origin has named
/// the URL of the request.
package struct Redirection: Sendable, Hashable {
    /// A URL of the origin that the call began at.
    package let origin: URL
    /// The URL that the server has redirected to.
    package let target: URL

    /// Creates a record of a redirect; nil if the target has the same origin.
    init?(to target: URL, from origin: URL) {
        if target.hasSameOrigin(as: origin) { return nil }
        self.origin = origin
        self.target = target
    }
}

extension HTTPRequest {
    /// Whether the request may carry the credentials of a call: its URL has the origin that the call began at, or a
    /// host that ``RequestOptions/credentialHosts`` lists.
    ///
    /// If it may not, a redirect has led to another origin, and the engine removes credentials in any case. A client
    /// asks so that it need not add one: the 401 of a server that never received the credential does not refuse it.
    ///
    /// ```swift
    /// guard request.mayCarryCredentials(in: call) else {
    ///     return try await base.perform(request, in: call)
    /// }
    /// ```
    ///
    /// - Parameter call: The call that the request is sent for.
    /// - Returns: Whether the engine leaves credentials in the request.
    public func mayCarryCredentials(in call: Call) -> Bool {
        guard let redirection = call.redirection else { return true }
        return mayCarryCredentials(after: redirection)
    }

    /// Whether the request may carry the credentials of a call that a redirect has led to another origin: it returns to
    /// the first origin, or goes to a host that ``RequestOptions/credentialHosts`` lists. A listed host must be reached
    /// with https, or with the scheme that the call began with, so that a redirect cannot take the encryption away.
    func mayCarryCredentials(after redirection: Redirection) -> Bool {
        if url.hasSameOrigin(as: redirection.origin) { return true }
        guard let host = url.host, let scheme = url.scheme?.lowercased() else { return false }
        let isListed = options.credentialHosts.contains(where: host.equalsIgnoringASCIICase)
        let isAsSecure = scheme == "https" || scheme == redirection.origin.scheme?.lowercased()
        return isListed && isAsSecure
    }

    /// Whether the request may be sent after a redirect has led to another origin, as far as its body is concerned: it
    /// has none, the options allow a body there, or the caller trusts the host with credentials, and so with the body.
    ///
    /// This is asked twice, and the errors differ. A redirect that would carry the body away is a ``TransportError``,
    /// since the server has asked for it. A client may also add a body to a request that was redirected without one;
    /// that request is refused before it is sent, with a ``RequestError``.
    func mayCarryBody(after redirection: Redirection) -> Bool {
        if body == nil || options.sendsBodyAcrossOrigins != false { return true }
        return mayCarryCredentials(after: redirection)
    }

    /// Returns the request without the parts that another origin must not see: headers that are not on the allow-list,
    /// user information, and query items that clients have added to the redirect's target. A request that may carry
    /// credentials stays as it is.
    package func withoutForeignCredentials(in call: Call) -> HTTPRequest {
        guard let redirection = call.redirection else { return self }
        return withoutForeignCredentials(after: redirection)
    }

    /// Returns the request without the parts that the redirect's target must not see, as in
    /// ``withoutForeignCredentials(in:)``.
    func withoutForeignCredentials(after redirection: Redirection) -> HTTPRequest {
        if mayCarryCredentials(after: redirection) { return self }
        var request = self
        request.headers.removeAll { !$0.name.crossesOrigins }
        request.url = url.withoutSecrets(addedTo: redirection.target)
        request.protectedOrigin = redirection.origin
        return request
    }
}

extension HTTPHeaders.Name {
    /// Whether a header is kept if a redirect leads to another origin.
    ///
    /// This is an allow-list, since no list of secret names is complete. It contains headers that describe the body and
    /// the wanted response (RFC 9110, sections 8, 12, 13 and 14), those of uploads that resume, and those that identify
    /// the program and the request, but none that identifies the user. An idempotency key is a random number, and
    /// without it the other origin could not recognize a POST that is sent again.
    package var crossesOrigins: Bool {
        let name = rawValue.lowercased()
        if Self.crossingNames.contains(name) { return true }
        let hasCrossingPrefix = Self.crossingPrefixes.contains(where: name.hasPrefix)
        return hasCrossingPrefix && !SecretNames.contains(name)
    }

    private static let crossingPrefixes = ["accept-", "content-", "if-", "tus-", "upload-"]
    private static let crossingNames: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "content-type", "date", "digest", "expect",
        "idempotency-key", "last-event-id", "pragma", "prefer", "priority", "range", "repr-digest", "te", "traceparent",
        "tracestate", "user-agent", "want-content-digest", "want-repr-digest", "x-correlation-id", "x-request-id",
    ]
}

extension URL {
    /// Returns this URL without what clients have added to a redirect's target: user information, and query items that
    /// the target does not have.
    ///
    /// With the target `https://other.example/?page=2`, the URL `https://u:p@other.example/?page=2&key=K` becomes
    /// `https://other.example/?page=2`.
    ///
    /// - Parameter target: The URL that a server has redirected to.
    /// - Returns: The URL; the target itself if the rest is not a valid URL.
    fileprivate func withoutSecrets(addedTo target: URL) -> URL {
        if self == target { return self }
        var reference = URIReference(absoluteString)
        reference.dropUserInformation()
        guard let withoutUser = URL(strict: reference.text) else { return target }
        let itemsOfTarget = Set(target.queryItems.map { Array($0) })
        let items = queryItems
        let allowedItems = items.filter { itemsOfTarget.contains(Array($0)) }
        // The query is only built again if a client has added something to it.
        let hasAddedItems = allowedItems.count < items.count
        guard hasAddedItems else { return withoutUser }
        return withoutUser.withQueryItems(allowedItems) ?? target
    }
}
