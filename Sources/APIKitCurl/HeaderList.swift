#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The headers of a request as a list of lines, which is what libcurl needs.
final class HeaderList {
    let lines: OpaquePointer?
    private let headers: HTTPHeaders
    private let cookies: [UInt8]
    private let hasBody: Bool
    /// Whether there is an `Expect: 100-continue`, so that a body waits for the 100 response.
    let expectsContinue: Bool
    /// Whether all values are ASCII, so that a value that equals one of them has the same bytes. Other strings that
    /// Swift compares as equal may have different bytes, such as the two forms of é.
    private var isASCII: Bool { headers.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } } }

    private init(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) {
        var lines: OpaquePointer?
        // libcurl reads only the first `Expect`. An empty one keeps libcurl from waiting for a 100 response, which the
        // transfer does itself, and from sending the request again after a 417 response.
        if hasBody { lines = acurl_list_append(lines, "Expect:") }
        for field in headers { lines = acurl_list_append(lines, Self.line(for: field)) }
        if !cookies.isEmpty {
            let line = Array("Cookie: ".utf8) + cookies + [0]
            lines = acurl_list_append(lines, line.map(CChar.init(bitPattern:)))
        }
        // The empty line keeps libcurl from adding its default type.
        if hasBody, headers[.contentType] == nil { lines = acurl_list_append(lines, "Content-Type:") }
        self.lines = lines
        self.headers = headers
        self.cookies = cookies
        self.hasBody = hasBody
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
    }

    /// The line for a field. libcurl omits a header without a value, unless its line ends in a semicolon.
    private static func line(for field: HTTPHeaders.Field) -> String {
        let isEmpty = field.value.utf8.allSatisfy(\.isBlank)
        return isEmpty ? "\(field.name.rawValue);" : "\(field.name.rawValue): \(field.value)"
    }

    deinit {
        acurl_list_destroy(lines)
    }

    /// Whether the list can be used for a request with these headers.
    private func serves(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) -> Bool {
        self.hasBody == hasBody && self.cookies == cookies && self.headers.isSpelled(like: headers)
    }

    /// The lists of recent requests. Most clients send the same few sets of headers again and again. Not thread-safe.
    final class Recent {
        @exclusivity(unchecked) private var lists: [HeaderList] = []

        /// How many lists are kept: few, since each look-up compares them one by one.
        private static let limit = 8

        /// Returns a list for the headers of a request, which is shared with recent requests that had the same headers.
        func list(for headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) -> HeaderList {
            if let list = lists.first(where: { $0.serves(headers, cookies: cookies, hasBody: hasBody) }) {
                return list
            }
            let list = HeaderList(headers, cookies: cookies, hasBody: hasBody)
            if list.isASCII { keep(list) }
            return list
        }

        private func keep(_ list: HeaderList) {
            if lists.count == Self.limit { lists.removeFirst() }
            lists.append(list)
        }
    }
}
#endif
