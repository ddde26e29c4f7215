import APIKitCore

/// A text that nobody can guess: 256 bits of the system's generator, in 43 characters of Base64 for URLs.
enum RandomText {
    static func base64URL() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return Data(bytes).base64URLEncodedString()
    }
}
