import APIKit
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
    func download(upload id: Int64) async throws(BasecampFailure) -> Data {
        guard let url = try await send(UploadRequest(id: id)).downloadURL.flatMap({ URL(string: $0) }) else {
            throw BasecampFailure(code: .usage, message: "Upload \(id) has no download URL.")
        }
        return try await download(url)
    }

    /// Downloads a file that a response names. The API itself is asked for it, whatever the host of the URL is, and
    /// names a signed URL, which gets no credential and must not lead elsewhere.
    func download(_ url: URL) async throws(BasecampFailure) -> Data {
        var target = url
        if let origin = origin.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
            (parts.scheme, parts.host, parts.port) = (origin.scheme, origin.host(), origin.port)
            target = parts.url ?? url
        }
        do {
            return try await client.send(FileRequest(url: target))
        } catch {
            guard let head = error.response?.head, (300..<400).contains(head.status) else {
                throw BasecampFailure(error)
            }
            guard let location = head.headers["Location"].flatMap({ URL(string: $0, relativeTo: head.url) }) else {
                throw BasecampFailure(error, message: "The redirect has no Location.")
            }
            return try await signedFile(at: location.absoluteURL)
        }
    }

    private func signedFile(at url: URL) async throws(BasecampFailure) -> Data {
        do {
            return try await client.send(FileRequest(url: url, isSigned: true))
        } catch {
            let isRedirect = (300..<400).contains(error.status ?? 0)
            throw BasecampFailure(error, message: isRedirect ? "A redirect of a signed URL is not followed." : nil)
        }
    }
}
