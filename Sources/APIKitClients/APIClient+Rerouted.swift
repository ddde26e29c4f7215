public import APIKitCore

extension APIClient {
    /// Returns a client that sends requests for one base URL to another one: to staging, a test server or a proxy.
    ///
    /// ```swift
    /// let client = URLSession.api.rerouted(to: "http://localhost:8080/v1")
    /// ```
    ///
    /// The base URL is replaced, and the rest of the path and the query are kept; a query of the new base URL comes
    /// first. A request for any other URL is passed on unchanged, and so is one with a dot segment below a base URL
    /// with a path.
    ///
    /// As with a reverse proxy, a `Location` and the targets of `Link` headers below the new base URL are mapped back,
    /// and so is the response's URL. So a redirect or a next-page link within the new server looks like one within the
    /// old one: it is rerouted again and keeps its credentials. Other headers and the body are not changed. Errors of
    /// the engine name the URL that was requested.
    ///
    /// Clients around this one see the original URL, clients inside it the new one. Invalid base URLs cause a
    /// ``RequestError`` with the code `baseURL` when a request is sent.
    ///
    /// - Parameters:
    ///   - target: The base URL that requests are sent to.
    ///   - source: The base URL that is replaced; by default that of each endpoint's ``APIRequest/base``. A request
    ///     built by hand has none, and is passed on unchanged.
    /// - Returns: The client.
    public func rerouted(to target: APIBase, from source: APIBase? = nil) -> some APIClient {
        ReroutedClient(
            base: self,
            target: Result { () throws(RequestError) in try URLScope(target) },
            source: source.map { base in
                Result { () throws(RequestError) in try URLScope(base, ignoringQuery: true) }
            })
    }
}

private struct ReroutedClient<Base: APIClient>: APIClient {
    let base: Base
    let target: Result<URLScope, RequestError>
    let source: Result<URLScope, RequestError>?
    var clock: any Clock<Duration> { base.clock }

    func perform(_ request: HTTPRequest) async throws -> HTTPResponse {
        let target = try target.get()
        guard let source = try source(of: request), let url = source.moving(request.url, to: target) else {
            return try await base.perform(request)
        }
        var moved = request
        moved.url = url
        do {
            var response = try await base.perform(moved)
            if let location = try? moved.location(in: response.head),
                let url = self.target(of: location, in: moved, from: target, to: source)
            {
                response.head.headers[.location] = url.absoluteString
            }
            if response.head.headers[.link] != nil {
                response.head.headers = response.head.headers.replacingLinkTargets { link in
                    self.target(of: link, in: moved, from: target, to: source)?.absoluteString
                }
            }
            let end = response.head.url
            response.head.url = end == url ? request.url : target.moving(end, to: source) ?? end
            return response
        } catch let error as TransportError {
            throw error.withRequest(moved)
        } catch let error as RequestError {
            throw error.withRequest(method: moved.method, url: moved.url)
        }
    }

    private func source(of request: HTTPRequest) throws -> URLScope? {
        if let source { return try source.get() }
        return (request.endpoint as? any APIRequest).flatMap { try? URLScope($0.base, ignoringQuery: true) }
    }

    /// The target of a location or link as the caller must see it; nil if it stays as it is. One that is not valid
    /// stays, and fails when it is followed.
    private func target(
        of text: String, in moved: HTTPRequest, from target: URLScope, to source: URLScope
    ) -> URL? {
        let reference = URIReference(text)
        guard !reference.isSameDocument, let url = try? moved.target(of: reference) else { return nil }
        // A relative one would be resolved against the original URL.
        return target.moving(url, to: source) ?? (reference.scheme == nil ? url : nil)
    }
}
