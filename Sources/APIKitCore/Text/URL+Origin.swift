extension URL {
    /// A URL of encoded text; nil if the text is not encoded, instead of encoding it a second time.
    init?(strict text: String) {
        if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, macCatalyst 17, *) {
            self.init(string: text, encodingInvalidCharacters: false)
        } else {
            self.init(string: text)  // is strict on these systems
        }
    }

    /// Whether scheme, host and port are the same (RFC 6454, section 5).
    func hasSameOrigin(as other: URL) -> Bool {
        guard let scheme, let host, let otherScheme = other.scheme, let otherHost = other.host else { return false }
        return scheme.equalsIgnoringASCIICase(otherScheme) && host.equalsIgnoringASCIICase(otherHost)
            && originPort == other.originPort
    }

    private var originPort: Int? {
        port ?? (scheme?.lowercased() == "https" ? 443 : 80)
    }

    /// What is wrong with the port; nil if the port is from 1 to 65535 or the URL names no port.
    ///
    /// Foundation accepts any number, and some engines end the process if it is not a valid port.
    var portProblem: String? {
        if let port { return 1...65_535 ~= port ? nil : "names the port \(port), but ports are 1 to 65535" }
        // A port that overflows Int is nil too.
        let text = absoluteString.utf8
        guard let start = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let authority = text[start...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        let digits = authority.reversed().prefix(while: \.isASCIIDigit)
        let isPort = !digits.isEmpty && authority.dropLast(digits.count).last == UInt8(ascii: ":")
        return isPort ? "names a port above 65535" : nil
    }
}
