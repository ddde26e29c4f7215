#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The headers of a request, as libcurl takes them. Requests with the same headers share a list.
final class HeaderList {
    let lines: OpaquePointer?
    private let headers: HTTPHeaders
    private let hasBody: Bool

    init(_ headers: HTTPHeaders, hasBody: Bool) {
        (self.headers, self.hasBody) = (headers, hasBody)
        var lines: OpaquePointer?
        // The first one counts for libcurl, which then neither waits for the server to want a body nor, after a 417,
        // sends the request again: the transfer does the first by itself.
        if hasBody { lines = acurl_list_append(lines, "Expect:") }
        for field in headers {
            // libcurl leaves a header without a value out, unless it is written like this.
            let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            let line = isBlank ? field.name.rawValue + ";" : field.name.rawValue + ": " + field.value
            lines = acurl_list_append(lines, line)
        }
        // No type that the body does not have.
        if hasBody, headers[.contentType] == nil { lines = acurl_list_append(lines, "Content-Type:") }
        self.lines = lines
    }

    deinit {
        acurl_list_destroy(lines)
    }

    /// Whether this is the list for some headers, byte by byte.
    func contains(exactly headers: HTTPHeaders, hasBody: Bool) -> Bool {
        hasBody == self.hasBody && headers.count == self.headers.count
            && headers.indices.allSatisfy {
                let (field, own) = (headers[$0], self.headers[$0])
                return field.value.hasBytes(of: own.value) && field.name.rawValue.hasBytes(of: own.name.rawValue)
            }
    }
}

extension String {
    /// Whether two texts are equal byte by byte; `==` ignores how characters are composed.
    fileprivate func hasBytes(of other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { left.count == $0.count && acurl_are_equal(left.baseAddress, $0.baseAddress, left.count) }
        }
    }
}
#endif
