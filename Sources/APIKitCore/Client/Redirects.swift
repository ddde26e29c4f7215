#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIClient {
    /// Performs a request and the redirects that follow it, within the deadline. Each hop goes through all clients anew.
    func performFollowingRedirects(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let deadline = request.options.deadline else { return try await followRedirects(from: request) }
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await followRedirects(from: request) }
            group.addTask {
                try await Task.sleep(for: deadline)
                throw TransportError(.timedOut, "no answer within the deadline of \(deadline)", request: request)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    private func followRedirects(from request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        var hops = 0
        while true {
            try Task.checkCancellation()
            let response = try await performNaming(request)
            guard case .follow(let limit) = request.options.redirects,
                let next = try request.redirected(by: response.head)
            else { return response }
            guard hops < limit else {
                throw TransportError(.tooManyRedirects, "more than \(limit) redirects", request: request)
            }
            hops += 1
            request = next
        }
    }

    /// Performs one hop; an error names the URL of that hop.
    private func performNaming(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            return try await perform(request)
        } catch let error as TransportError {
            throw error.naming(request)
        }
    }
}

extension HTTPRequest {
    /// The request that a redirect asks for (RFC 9110, section 15.4); nil where the response is none.
    ///
    /// - Throws: ``TransportError`` for a location that cannot be followed.
    func redirected(by head: HTTPResponse.Head) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
        guard let location = head.headers[.location] else { return nil }
        var next = self
        next.url = try target(of: location)
        if head.status == 303 ? method != .head : head.status < 303 && method == .post { next.becomeGET() }
        if !next.url.hasSameOrigin(as: url) { next.leaveCredentialsBehind() }
        return next
    }

    private func target(of location: String) throws(TransportError) -> URL {
        let reference = URIReference(location.encodingStrayBytes)
        guard let target = URL(strict: URIReference(url.absoluteString).resolving(reference).text),
            let host = target.host, !host.isEmpty
        else { throw TransportError(.badResponse, "the redirect's location is not a URL", request: self) }
        guard let scheme = target.scheme, scheme == "https" || (scheme == "http" && url.scheme == "http") else {
            let reason = "a redirect from \(url.scheme ?? "") to \(Masking.url(target)) is not followed"
            throw TransportError(.redirectRefused, reason, request: self)
        }
        return target
    }

    private mutating func becomeGET() {
        method = .get
        body = nil
        let contentHeaders: Set<HTTPHeaders.Name> = [
            .contentType, .contentEncoding, .contentLanguage, "Content-Location", "Content-Digest", "Digest",
        ]
        headers.removeAll { contentHeaders.contains($0.name) }
    }

    /// Another origin gets nothing that the first one was trusted with (RFC 9110, section 15.4).
    private mutating func leaveCredentialsBehind() {
        headers.removeAll { $0.name == .host || Masking.isSecret($0.name.rawValue) }
    }
}

extension URL {
    /// Whether scheme, host and port are the same (RFC 6454, section 5).
    func hasSameOrigin(as other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host?.lowercased() == other.host?.lowercased()
            && originPort == other.originPort
    }

    private var originPort: Int? {
        port ?? (scheme?.lowercased() == "https" ? 443 : 80)
    }
}
