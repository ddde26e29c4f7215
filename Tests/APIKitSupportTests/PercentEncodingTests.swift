import Testing

@testable import APIKitSupport

@Suite struct PercentEncodingTests {
    /// Any byte beyond ASCII would show as U+FFFD.
    private func kept(by set: ByteSet) -> String {
        String(decoding: (0...UInt8.max).filter(set.contains), as: UTF8.self)
    }

    // RFC 3986, 2.3 and 3.3; RFC 9110, 5.6.2; WHATWG URL, application/x-www-form-urlencoded percent-encode set.
    @Test func setsMatchStandards() {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", small = "abcdefghijklmnopqrstuvwxyz", digits = "0123456789"
        #expect(kept(by: .unreserved) == "-.\(digits)\(letters)_\(small)~")
        #expect(kept(by: .path) == "!$&'()*+,-./\(digits):;=@\(letters)_\(small)~")
        #expect(kept(by: .form) == "*-.\(digits)\(letters)_\(small)")
        #expect(kept(by: .token) == "!#$%&'*+-.\(digits)\(letters)^_`\(small)|~")
        #expect(kept(by: .boundary) == "'()+,-./\(digits):=?\(letters)_\(small)")
    }

    @Test(
        arguments: [
            ("0", 0), ("9", 9), ("a", 10), ("F", 15), ("g", nil), ("/", nil), (":", nil), ("@", nil), ("`", nil),
        ] as [(String, UInt8?)])
    func readsHexadecimalDigits(digit: String, value: UInt8?) { #expect(digit.utf8.first?.hexValue == value) }
}
