import APIKitCore
import APIKitSupport

/// Identifies the requests to one URL that a stored response may answer (RFC 9111, section 4.1). They have the same
/// values of the headers that `Vary` names and of those that may identify the user.
///
/// The key is a hash of 128 bits with the secret seed of the process. So the cache contains no credentials, and nobody
/// can construct two requests with the same key.
struct CacheKey: Hashable, Sendable {
    private let high: Int
    private let low: Int

    /// The key of a request, for responses that vary by the headers of these names, in lower case.
    init(_ request: HTTPRequest, varyingBy names: [String]) {
        var digest = Digest()
        digest.combine(request.options.addsCredentials == false)
        if request.method == .query, let body = request.body { digest.combine(body, in: request.headers) }
        var allNames = names + request.options.secretNames.map { $0.lowercased() }
        for field in request.headers where !field.name.crossesOrigins {
            allNames.append(field.name.rawValue.lowercased())
        }
        for name in allNames.sortedAndUnique {
            digest.combine(text: name)
            digest.combine(text: request.headers[HTTPHeaders.Name(rawValue: name)])
        }
        high = digest.first.finalize()
        low = digest.second.finalize()
    }

    /// Two hashers that start differently. Together they have twice the bits of one.
    private struct Digest {
        private(set) var first = Hasher()
        private(set) var second = Hasher()

        init() {
            second.combine(true)
        }

        mutating func combine(_ value: Bool) {
            first.combine(value)
            second.combine(value)
        }

        /// Adds the number of bytes, and the bytes. Nil differs from no bytes.
        mutating func combine(bytes: UnsafeRawBufferPointer?) {
            let count = bytes?.count ?? -1
            first.combine(count)
            second.combine(count)
            guard let bytes else { return }
            first.combine(bytes: bytes)
            second.combine(bytes: bytes)
        }

        /// Adds the bytes of a text. As Strings, texts are also equal if they write the same characters in other bytes.
        mutating func combine(text: String?) {
            if var text {
                text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
            } else {
                combine(bytes: nil)
            }
        }

        /// Adds the content of a QUERY and the headers that describe it (RFC 10008).
        mutating func combine(_ body: RequestBody, in headers: HTTPHeaders) {
            var headers = headers
            // An engine adds the content type too, but only after this client.
            headers.addContentType(of: body)
            if let data = body.data {
                data.withUnsafeBytes { combine(bytes: $0) }
            } else {
                combine(bytes: nil)
            }
            for name in [HTTPHeaders.Name.contentType, .contentEncoding, .contentLanguage] {
                combine(text: headers[name])
            }
        }
    }
}
