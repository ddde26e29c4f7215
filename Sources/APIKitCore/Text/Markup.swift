/// HTML and XML in error texts.
enum Markup {
    /// The text without tags, comments, scripts and styles. Masked is what an element holds that has a secret name, or
    /// an attribute with one: `<password>hunter2</password>`, `<entry key="password">hunter2</entry>`.
    static func text(of bytes: [UInt8]) -> String {
        let folded = bytes.map(\.lowercasedASCII)
        var (output, index): ([UInt8], Int) = ([], 0)
        while let start = folded[index...].firstIndex(of: UInt8(ascii: "<")) {
            output += bytes[index..<start]
            output.append(UInt8(ascii: " "))
            if folded[start...].starts(with: "<!--".utf8) {
                index = end(of: "-->", in: folded[start...])
                continue
            }
            index = end(of: ">", in: folded[start...])
            let words = words(of: bytes[start..<index])
            guard let name = words.first?.lowercased(), bytes[start..<index].dropFirst().first != UInt8(ascii: "/")
            else { continue }
            let isSecret = words.contains(where: SecretNames.contains)
            guard isSecret || name == "script" || name == "style" else { continue }
            if isSecret { output += Masking.mask.utf8 }
            // An element that is cut off, or has no end tag as HTML's `input`, ends with the next tag.
            let rest = folded[index...]
            index =
                rest.firstRange(of: Array("</\(name)".utf8))?.lowerBound ?? rest.firstIndex(of: UInt8(ascii: "<"))
                ?? rest.endIndex
        }
        output += bytes[index...]
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether it names no secret and has no script that may hold one.
    static func isHarmless(_ bytes: [UInt8]) -> Bool {
        words(of: bytes[...]).allSatisfy {
            !["script", "style"].contains($0.lowercased()) && !SecretNames.contains($0)
        }
    }

    private static func words(of bytes: ArraySlice<UInt8>) -> [String] {
        bytes.split { !$0.lowercasedASCII.isTokenCharacter }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound ?? bytes.endIndex
    }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        self >= 0x80 || isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || "_-.:[]".utf8.contains(self)
    }
}
