public import APIKit
import Foundation

/// A file at a URL that is not of an endpoint, or the redirect to it.
private struct FileRequest: BasecampRequest {
    let url: URL
    var isSigned = false
    var base: APIBase { APIBase(url, options: APIBase.basecamp.options) }
    var path: URLPath { "" }
    var options: RequestOptions { RequestOptions(redirects: .refuse, addsCredentials: !isSigned) }

    enum Response: APIResponse {
        static func isSuccess(_ head: HTTPResponse.Head) -> Bool { (200..<400).contains(head.status) }
        static func process(data: Data) -> Data { data }
    }
}

extension BasecampClient {
    /// Downloads the file of an upload.
    public func download(uploadID: Int64) async throws(APIError<BasecampError>) -> Data {
        guard let url = try await files.getUpload(id: uploadID).downloadURL.flatMap({ URL(string: $0) }) else {
            throw .invalidRequest(RequestError(.url, "the upload \(uploadID) has no download URL"))
        }
        return try await download(url)
    }

    /// Downloads a file that a response names. The API itself is asked for it, whatever the host of the URL is, and
    /// names a signed URL, which gets no credential and must not lead elsewhere.
    public func download(_ url: URL) async throws(APIError<BasecampError>) -> Data {
        let file = try await client.reply(to: FileRequest(url: urlOfAPI(for: url)))
        if file.head.status < 300 { return file.model }
        guard let location = file.head.headers["Location"].flatMap({ URL(string: $0, relativeTo: file.head.url) })
        else {
            throw .invalidRequest(RequestError(.link, "the redirect has no Location", url: url))
        }
        let signedFile = try await client.reply(to: FileRequest(url: location.absoluteURL, isSigned: true))
        if signedFile.head.status < 300 { return signedFile.model }
        let error = RequestError(.link, "a redirect of a signed URL is not followed", url: location)
        throw .unreadable(error, HTTPResponse(head: signedFile.head))
    }

    /// The same path and query at the origin of the API.
    private func urlOfAPI(for url: URL) -> URL {
        guard let base = client.base(insteadOf: .basecamp).url,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return url }
        (parts.scheme, parts.host, parts.port) = (base.scheme, base.host(), base.port)
        return parts.url ?? url
    }
}
