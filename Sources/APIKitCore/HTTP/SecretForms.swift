import APIKitSupport

/// The forms in which a text, such as the body of a response, may repeat a secret of its request. All of them must be
/// masked.
package enum SecretForms {
    /// Returns values both as they are and without percent-encoding.
    ///
    /// Values of less than four bytes are left out: they also occur by chance, and masking them everywhere would make a
    /// text unreadable.
    package static func spellings(of values: [String]) -> [String] {
        var spellings: [String] = []
        for value in values {
            spellings.append(value)
            let decoded = value.fullyDecoded
            if decoded != value { spellings.append(decoded) }
        }
        return spellings.filter { $0.utf8.count >= 4 }
    }

    /// Returns the value of a secret header as it is, and without a scheme such as `Bearer` before it.
    package static func withAndWithoutScheme(_ value: String) -> [String] { [value, value.afterFirstSpace] }

    /// Returns the password of a Basic credential, `user:password` in base64 (RFC 7617).
    ///
    /// The scheme is not checked, since an API may accept such a pair with another one. A token that happens to be
    /// base64 has a meaningless password, which occurs nowhere.
    package static func password(inBasic value: String) -> String? {
        guard let pair = Data(base64Encoded: value.afterFirstSpace) else { return nil }
        let password = Array(pair).drop { $0 != UInt8(ascii: ":") }.dropFirst()
        return String(decoding: password, as: UTF8.self)
    }
}
