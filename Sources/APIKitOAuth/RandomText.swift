import APIKitCore

/// Random text: 256 bits from the system's generator, in 43 characters of Base64 for URLs.
enum RandomText {
    static func base64URL() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64URLEncodedString()
    }
}
