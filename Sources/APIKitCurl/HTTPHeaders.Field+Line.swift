#if os(Linux)
import APIKitCore

extension HTTPHeaders.Field {
    /// Reads a line such as `Content-Type: text/html`.
    ///
    /// A `Set-Cookie` may contain a CR or a NUL, which become spaces (RFC 9110, section 5.5). Only the cookie is then
    /// invalid, and not the whole response (RFC 6265bis, section 5.6).
    ///
    /// - Parameter line: The line, without its line end.
    /// - Throws: `TransportError` with the code `badResponse` if the line is malformed.
    init(line: HeadLine) throws(TransportError) {
        guard let colon = line.position(of: UInt8(ascii: ":")) else {
            try line.checkCharacters()
            // Not every libcurl refuses such a line itself.
            throw TransportError(.badResponse, "the head of the response contains a line without a colon")
        }
        let name = line.part(from: 0, to: colon)
        let value = line.part(from: colon + 1, to: line.count)
        if line.hasForbiddenCharacters {
            let setsCookie = name.text.lowercased() == "set-cookie"
            guard setsCookie else { throw HeadLine.forbiddenCharacters }
            self.init(name: .setCookie, value: value.textWithSpaces)
            return
        }
        self.init(name: HTTPHeaders.Name(rawValue: name.trimmedText), value: value.trimmedText)
    }
}
#endif
