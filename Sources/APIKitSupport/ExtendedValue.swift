/// The value of a parameter whose name ends with an asterisk, such as `UTF-8'de'n%c3%a4chstes%20Kapitel` (RFC 8187,
/// section 3.2).
package enum ExtendedValue {
    /// The text of a value; nil if it is malformed, in an unknown charset, or not valid in its charset.
    package static func text(of value: String) -> String? {
        let parts = value.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let charset = Charset(name: Substring(parts[0]).lowercased()) else { return nil }
        guard let bytes = Array(parts[2])[...].percentDecoded else { return nil }
        return charset.text(of: bytes)
    }
}
