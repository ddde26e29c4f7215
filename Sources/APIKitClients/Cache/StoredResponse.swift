import APIKitCore
import APIKitSupport

/// A response as a cache keeps it. The sections are those of RFC 9111.
final class StoredResponse: Sendable {
    let head: HTTPResponse.Head
    let body: ResponseBody
    let policy: CachePolicy

    init(head: HTTPResponse.Head, body: ResponseBody, policy: CachePolicy) {
        self.head = head
        self.body = body
        self.policy = policy
    }

    /// The share of the cache's capacity that the response takes: its body, URL and headers, and an estimate of the
    /// memory for the objects that hold them (1024 bytes for a response, 96 for a header).
    var size: Int {
        var size = 1024 + head.lazyURL.text.utf8.count + (body.data?.count ?? 0)
        for field in Array(head.headers) + body.trailers {
            size += field.name.rawValue.utf8.count + field.value.utf8.count + 96
        }
        return size
    }

    /// The response to a request that the cache answers, with its age (section 5.1).
    func response(at now: Date) -> HTTPResponse {
        var head = head
        let age = policy.age(at: now)
        // An infinite age is limited too, since Int cannot represent it. The comparison is also false for NaN.
        let isInRange = age < CacheControl.maxSeconds
        head.headers[.age] = String(Int(isInRange ? age : CacheControl.maxSeconds))
        return HTTPResponse(head: head, body: body, source: .cache)
    }

    /// The headers that ask the server whether the response is still current (section 4.3.1).
    var conditions: HTTPHeaders {
        let conditions: HTTPHeaders = [
            .ifNoneMatch: head.headers.values(for: .eTag).first,
            .ifModifiedSince: head.headers.values(for: .lastModified).first,
        ]
        return HTTPHeaders(conditions.filter { !$0.value.isEmpty && $0.value.isFieldValue })
    }

    /// Returns this response with the new headers of a 304; nil if the 304 is about another version.
    func response(confirmedBy confirmation: HTTPResponse) -> HTTPResponse? {
        guard let head = head(confirmedBy: confirmation.head) else { return nil }
        return HTTPResponse(head: head, body: body, timing: confirmation.timing, source: .revalidated)
    }

    /// Returns the head with the new headers of a 304 (section 3.2); nil if the 304 is about another version (section
    /// 4.3.4).
    ///
    /// Versions are compared by their entity tags or, if the 304 has none, by their dates of modification. The mark of
    /// a weak tag is ignored, since proxies that compress add it.
    func head(confirmedBy confirmation: HTTPResponse.Head) -> HTTPResponse.Head? {
        let validator: HTTPHeaders.Name = confirmation.headers[.eTag] == nil ? .lastModified : .eTag
        if let confirmed = confirmation.headers.values(for: validator).first {
            let stored = head.headers.values(for: validator).first
            guard stored?.opaqueTag == confirmed.opaqueTag else { return nil }
        }
        // The stored body is decoded, so headers about its encoded form do not apply to it.
        let kept: [HTTPHeaders.Name] = [.contentLength, .contentEncoding, .contentRange]
        let newer = confirmation.storable.headers.filter { !kept.contains($0.name) }
        // The stored age and date are removed even if the 304 has none: they would make the response look older.
        var replaced: Set<String> = ["age", "date"]
        for field in newer { replaced.insert(field.name.rawValue.lowercased()) }
        var head = head
        head.headers.removeAll { replaced.contains($0.name.rawValue.lowercased()) }
        for field in newer { head.headers.append(field.value, for: field.name) }
        return head
    }
}

extension HTTPResponse.Head {
    /// The head without the headers of the connection, which must not be stored (section 3.1).
    var storable: HTTPResponse.Head {
        var names = Self.namesOfConnection
        for name in headers["Connection"]?.listElements ?? [] { names.insert(name.lowercased()) }
        var head = self
        head.headers.removeAll { names.contains($0.name.rawValue.lowercased()) }
        return head
    }

    private static let namesOfConnection: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
        "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]
}

extension String {
    /// The bytes of an entity tag without `W/`, the mark of a weak tag.
    fileprivate var opaqueTag: [UInt8] {
        let isWeak = utf8.starts(with: "W/".utf8)
        return Array(isWeak ? utf8.dropFirst(2) : utf8[...])
    }
}
