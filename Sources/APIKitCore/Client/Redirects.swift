#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension APIClient {
    /// Performs a request and the redirects that follow it, within the deadline. Each hop goes through all clients
    /// anew.
    func performFollowingRedirects(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let deadline = request.options.deadline else { return try await followRedirects(from: request) }
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            group.addTask { try await followRedirects(from: request) }
            group.addTask {
                // A sleep of more than all clocks know would trap.
                try await Task.sleep(for: min(deadline, .seconds(1 << 31)))
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

    /// Performs one hop; its response and its errors name it.
    private func performNaming(_ request: HTTPRequest) async throws -> HTTPResponse {
        do {
            var response = try await perform(request)
            response.method = request.method
            return response
        } catch let error as TransportError {
            throw error.naming(request)
        } catch let error as RequestError {
            throw error.naming(method: request.method, url: request.url)
        } catch  where Task.isCancelled || error is any APIFailure {
            throw error
        } catch {
            throw TransportError(.clientFailed, request: request, underlying: error)
        }
    }
}

extension HTTPRequest {
    /// The request that a redirect asks for (RFC 9110, section 15.4); nil where the response is none.
    ///
    /// - Throws: ``TransportError`` for a location that cannot be followed.
    func redirected(by head: HTTPResponse.Head) throws(TransportError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
        guard let location = head.headers.values(for: .location).first else { return nil }
        var next = self
        next.url = try target(of: String(location.trimmingSpaces()))
        if head.status == 303 ? method != .head : head.status < 303 && method == .post { next.becomeGET() }
        if !next.url.hasSameOrigin(as: url) { next.leaveCredentialsBehind() }
        return next
    }

    private func target(of location: String) throws(TransportError) -> URL {
        let reference = URIReference(location).encodingStrayBytes
        guard let target = URL(strict: URIReference(url.absoluteString).resolving(reference).text) else {
            throw TransportError(.badResponse, "the redirect's location is not a URL", request: self)
        }
        let isHTTP = target.scheme == "http" || target.scheme == "https"
        guard !isHTTP || target.host?.isEmpty == false else {
            throw TransportError(.badResponse, "the redirect's location names no host", request: self)
        }
        guard isHTTP, target.scheme == "https" || url.scheme == "http" else {
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
