public import APIKit
import Foundation

/// A file at a URL that is not of an endpoint.
private struct FileRequest: BasecampRequest {
    typealias Response = Data
    let url: URL
    var isSigned = false
    var base: APIBase { APIBase(url) }
    var path: URLPath { "" }
    var options: RequestOptions { RequestOptions(redirects: .refuse, addsCredentials: !isSigned) }
}

extension BasecampClient {
    /// Downloads the file of an upload.
    public func download(uploadID: Int64) async throws(APIError<BasecampError>) -> Data {
        let reply = try await client.reply(to: UploadRequest(id: uploadID))
        guard let url = reply.model.downloadURL.flatMap({ URL(string: $0) }) else {
            throw .invalidRequest(RequestError(.url, "the upload \(uploadID) has no download URL"))
        }
        return try await download(url)
    }

    /// Downloads a file that a response names. The API itself is asked for it, whatever the host of the URL is, and
    /// names a signed URL, which gets no credential and must not lead elsewhere.
    public func download(_ url: URL) async throws(APIError<BasecampError>) -> Data {
        do {
            return try await client.send(FileRequest(url: url.moved(to: client.base(insteadOf: .basecamp).url)))
        } catch {
            guard let response = error.redirect else { throw error }
            let location = response.head.headers["Location"].flatMap { URL(string: $0, relativeTo: response.head.url) }
            guard let location else { throw .unreadable(ContentError(.redirect, "it has no Location"), response) }
            return try await signedFile(at: location.absoluteURL)
        }
    }

    private func signedFile(at url: URL) async throws(APIError<BasecampError>) -> Data {
        do {
            return try await client.send(FileRequest(url: url, isSigned: true))
        } catch {
            guard let response = error.redirect else { throw error }
            throw .unreadable(ContentError(.redirect, "it is not followed"), response)
        }
    }
}

extension APIError {
    /// The response, if it is a redirect.
    fileprivate var redirect: HTTPResponse? {
        if case .rejected(_, let response) = self, (300..<400).contains(response.head.status) { response } else { nil }
    }
}

extension URL {
    /// The same path and query at the origin of another URL.
    fileprivate func moved(to other: URL?) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        (parts.scheme, parts.host, parts.port) = (other?.scheme, other?.host(), other?.port)
        return parts.url ?? self
    }
}

extension ContentError.Code {
    fileprivate static let redirect = ContentError.Code(rawValue: "redirect")
}
