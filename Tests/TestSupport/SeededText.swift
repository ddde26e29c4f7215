/// Texts that are the same in every run: letters, everything with a meaning in a URL, a form, JSON or a header, control
/// characters, combining characters, emoji and characters of every UTF-8 length.
package struct SeededText {
    package var generator: SplitMix64

    private static let pieces: [String] = [
        "a", "Z", "0", "-", ".", "..", "_", "~", "*", "%", "%%", "%2F", "%2e%2e", "%zz", "/", "//", "../", "./", "?",
        "#", "&", "=", "+", ";", ":", "@", ",", "!", "$", "'", "(", ")", "[", "]", "{", "}", "|", "^", "`", "<", ">",
        "\"", "\\", " ", "\t", "\r", "\n", "\r\n", "\n\r", "\0", "\u{1}", "\u{1F}", "\u{7F}", "\u{80}", "\u{85}",
        "\u{A0}", "\u{E9}", "e\u{301}", "\u{301}", "\u{200D}", "\u{200E}", "\u{2028}", "\u{FEFF}", "\u{FFFD}",
        "\u{FFFF}", "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}", "\u{1F1E9}\u{1F1EA}", "\u{10FFFF}", "--", "--b", "--b--",
        "Content-Disposition: x", "http://", "name=",
    ]

    package init(seed: UInt64) { generator = SplitMix64(state: seed) }

    package mutating func next() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            if Bool.random(using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &generator)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The first texts of a seed, the awkward ones of one or two characters before them.
    package static func texts(_ count: Int, seed: UInt64) -> [String] {
        var random = SeededText(seed: seed)
        return pieces + (0..<count).map { _ in random.next() }
    }
}

/// Sebastiano Vigna's SplitMix64.
package struct SplitMix64: RandomNumberGenerator {
    package var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
