import Testing

@testable import APIKitCore

@Suite struct PercentEncodingTests {
    private let ascii = (UInt8(0)..<128).map { $0 }

    private func encode(_ text: String, _ allowed: ByteSet, spaceAsPlus: Bool = false) -> String {
        var bytes: [UInt8] = []
        bytes.append(text, percentEncodingAllBut: allowed, spaceAsPlus: spaceAsPlus)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func kept(by set: ByteSet) -> String { String(decoding: ascii.filter(set.contains), as: UTF8.self) }

    // RFC 3986, 2.3 and 3.3; RFC 9110, 5.6.2; WHATWG URL, application/x-www-form-urlencoded percent-encode set.
    @Test func setsMatchStandards() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", small = "abcdefghijklmnopqrstuvwxyz", digits = "0123456789"
        #expect(kept(by: .unreserved) == "-.\(digits)\(letters)_\(small)~")
        #expect(kept(by: .path) == "!$&'()*+,-./\(digits):;=@\(letters)_\(small)~")
        #expect(kept(by: .form) == "*-.\(digits)\(letters)_\(small)")
        #expect(kept(by: .token) == "!#$%&'*+-.\(digits)\(letters)^_`\(small)|~")
        #expect(kept(by: .boundary) == "'()+,-./\(digits):=?\(letters)_\(small)")
    }

    @Test func setsContainOnlyASCII() {
        for byte in UInt8(128)...255 {
            for set in [ByteSet.unreserved, .path, .form, .token, .boundary] { #expect(!set.contains(byte)) }
        }
    }

    @Test(arguments: [
        ("", ""), ("a b", "a%20b"), ("a+b", "a%2Bb"), ("100%", "100%25"), ("%20", "%2520"), ("~", "~"), ("*", "%2A"),
        ("\u{E9}", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("\u{1F600}", "%F0%9F%98%80"), ("\0\r\n\u{7F}", "%00%0D%0A%7F"),
    ]) func encodesUTF8BytesInUpperCaseHexadecimal(text: String, encoded: String) {
        #expect(encode(text, .unreserved) == encoded)
    }

    @Test func writesSpaceAsPlusIfRequested() { #expect(encode("a b+c", .form, spaceAsPlus: true) == "a+b%2Bc") }

    @Test(arguments: [
        ("0", 0), ("9", 9), ("a", 10), ("F", 15), ("g", nil), ("/", nil), (":", nil), ("@", nil), ("`", nil),
    ]) func readsHexadecimalDigits(digit: String, value: UInt8?) { #expect(digit.utf8.first?.hexValue == value) }

    @Test(arguments: [
        ("abc", true), ("!#$%&'*+-.^_`|~09azAZ", true), ("", false), ("a b", false), ("a:", false), ("a\r\n", false),
        ("\u{E9}", false), ("\0", false), ("(a)", false), ("a/b", false), ("\"a\"", false), ("a\u{301}", false),
    ]) func recognizesTokens(text: String, isToken: Bool) { #expect(text.isToken == isToken) }

    @Test(arguments: [
        ("", true), ("a b\tc", true), ("caf\u{E9}", true), ("a\rb", false), ("a\nb", false), ("a\r\nb", false),
        ("\0", false), ("a\u{85}b", true), ("a\r\u{301}", false),
    ]) func recognizesFieldValues(text: String, isValue: Bool) { #expect(text.isFieldValue == isValue) }
}
