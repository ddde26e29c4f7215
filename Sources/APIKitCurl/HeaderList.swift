#if os(Linux)
import APIKitCore
import CAPIKitCurl

/// The headers of a request, as libcurl takes them.
final class HeaderList {
    let lines: OpaquePointer?
    private let headers: HTTPHeaders
    private let cookies: [UInt8]
    private let hasBody: Bool
    /// Whether a body waits for the server to want it.
    let expectsContinue: Bool
    /// Strings that Swift takes for equal may have different bytes, as with é, unless one of them is ASCII.
    private var isASCII: Bool { headers.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } } }

    private init(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) {
        var lines: OpaquePointer?
        // libcurl reads only the first `Expect`. With an empty one, it neither waits for a 100, which the transfer does
        // by itself, nor sends the request again after a 417.
        if hasBody { lines = acurl_list_append(lines, "Expect:") }
        for field in headers { lines = acurl_list_append(lines, Self.line(for: field)) }
        if !cookies.isEmpty {
            let line = Array("Cookie: ".utf8) + cookies + [0]
            lines = acurl_list_append(lines, line.map(CChar.init(bitPattern:)))
        }
        // Otherwise libcurl would add a type.
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

    private func serves(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) -> Bool {
        self.hasBody == hasBody && self.cookies == cookies && self.headers.isSpelled(like: headers)
    }

    /// The lists of recent requests: most clients send few different ones. Not thread-safe.
    final class Recent {
        @exclusivity(unchecked) private var lists: [HeaderList] = []

        private static let limit = 8

        /// The list for the headers of a request, shared with earlier requests that had the same.
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
