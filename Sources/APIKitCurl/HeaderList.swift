#if os(Linux)
import APIKitCore
import APIKitSupport
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
    private var isASCII: Bool { headers.allSatisfy { $0.value.isASCII } }

    /// Creates the list for a request, with a line such as `Accept: text/html` for each header.
    ///
    /// A line without a value, such as `Expect:`, is not sent. It keeps libcurl from adding this header itself.
    private init(_ headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) {
        var lines: OpaquePointer?
        // libcurl decides by the first `Expect` whether it waits for a 100 response, and whether it sends the request
        // again after a 417 response. This empty one keeps it from both. If the request has an `Expect`, its line
        // follows and is sent, and the transfer waits itself.
        if hasBody { lines = acurl_list_append(lines, "Expect:") }
        for field in headers { lines = acurl_list_append(lines, Self.line(for: field)) }
        if !cookies.isEmpty {
            // Not a text, since cookies may consist of any bytes. The list copies the bytes up to the 0.
            let line = Array("Cookie: ".utf8) + cookies + [0]
            lines = acurl_list_append(lines, line.map(CChar.init(bitPattern:)))
        }
        if hasBody, headers[.contentType] == nil { lines = acurl_list_append(lines, "Content-Type:") }
        self.lines = lines
        self.headers = headers
        self.cookies = cookies
        self.hasBody = hasBody
        expectsContinue = headers["Expect"]?.lowercased() == "100-continue"
    }

    /// Returns the line for a field: `Accept: text/html`, or `Accept;` if the value is empty, which libcurl sends as
    /// `Accept:`.
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

    /// The lists of recent requests. Most clients send the same few sets of headers again and again, and a new list
    /// costs an allocation for each line.
    ///
    /// It is not a `RecencyList`: the lists are compared one by one, so there are few, and those that are found need
    /// not be moved. Not thread-safe: each thread has its own.
    final class Recent {
        @exclusivity(unchecked) private var lists: [HeaderList] = []

        /// How many lists are kept: few, since each look-up compares them one by one.
        private static let limit = 8

        /// Returns the list for the headers of a request: that of a recent request with the same headers, or a new one,
        /// which is kept for later requests.
        func list(for headers: HTTPHeaders, cookies: [UInt8], hasBody: Bool) -> HeaderList {
            if let list = lists.first(where: { $0.serves(headers, cookies: cookies, hasBody: hasBody) }) {
                return list
            }
            let list = HeaderList(headers, cookies: cookies, hasBody: hasBody)
            // Only the headers of such a list can be compared with those of a later request.
            if list.isASCII { keep(list) }
            return list
        }

        /// Keeps a list, and removes the oldest one if there are too many.
        private func keep(_ list: HeaderList) {
            if lists.count == Self.limit { lists.removeFirst() }
            lists.append(list)
        }
    }
}
#endif
