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
    /// Equal strings may differ in their bytes, as é does, unless one is ASCII and the other no longer.
    private var isASCII: Bool { headers.allSatisfy { $0.value.utf8.allSatisfy { $0 < 0x80 } } }

    private init(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) {
        var lines: OpaquePointer?
        // The first one counts for libcurl, which then neither waits for the server to want a body nor, after a 417,
        // sends the request again: the transfer does the first by itself.
        if hasBody { lines = acurl_list_append(lines, "Expect:") }
        for field in headers { lines = acurl_list_append(lines, Self.line(for: field)) }
        if !cookies.isEmpty {
            let line = Array("Cookie: ".utf8) + cookies + [0]
            lines = acurl_list_append(lines, line.map(CChar.init(bitPattern:)))
        }
        // No type that the body does not have.
        if hasBody, headers[.contentType] == nil { lines = acurl_list_append(lines, "Content-Type:") }
        self.lines = lines
        self.headers = headers
        self.cookies = cookies
        self.hasBody = hasBody
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
    }

    /// The line as libcurl takes it, which leaves a header without a value out unless it ends in a semicolon.
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

    /// Lists for recent requests, of which most clients have few different ones. Used on one thread alone.
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
