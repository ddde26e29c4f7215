/// HTML and XML in error texts: only the elements that describe the error are shown.
///
/// Other elements may contain a secret that cannot be recognized by its name, as in
/// `<td>password</td><td>hunter2</td>`.
enum Markup {
    /// The elements whose text is shown, in lower case: HTML's title, the problem details of RFC 9457, the fault of
    /// SOAP, and the message of most other XML.
    private static let shownElements: Set<String> = ["title", "message", "detail", "faultstring"]

    /// The text of these elements, unchanged, with a space between two; empty if there are none.
    ///
    /// An element is not shown if it has a secret name or an attribute with one, or is within such an element.
    static func summary(of bytes: [UInt8]) -> String {
        let folded = bytes.map(\.lowercasedASCII)
        var texts: [String] = []
        var index = 0
        while let start = folded[index...].firstIndex(of: UInt8(ascii: "<")) {
            if folded[start...].starts(with: "<!--".utf8) {
                index = end(of: "-->", in: folded[start...])
                continue
            }
            index = end(of: ">", in: folded[start...])
            let tag = Tag(bytes[start..<index])
            guard tag.isStart else { continue }
            if tag.hidesContent {
                index = tag.endOfContent(in: folded[index...])
            } else if isShown(tag) {
                let text = bytes[index...].prefix { $0 != UInt8(ascii: "<") }
                texts.append(String(decoding: text, as: UTF8.self))
                index = text.endIndex
            }
        }
        return texts.joined(separator: " ")
    }

    private static func isShown(_ tag: Tag) -> Bool {
        // The errors of S3 and Azure have an element `Code`. In HTML, `code` is any text in a fixed-width font.
        tag.localName == "Code" || shownElements.contains(tag.localName.lowercased())
    }

    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound ?? bytes.endIndex
    }

    /// A tag, from its `<` to its `>`.
    private struct Tag {
        /// The name of the element, followed by the names and values of its attributes.
        private let words: [String]
        /// Whether the tag begins an element.
        let isStart: Bool

        init(_ bytes: ArraySlice<UInt8>) {
            words = bytes.split { !$0.isTokenCharacter }.map { String(decoding: $0, as: UTF8.self) }
            isStart = !words.isEmpty && bytes.dropFirst().first != UInt8(ascii: "/")
        }

        private var name: String { words.first ?? "" }

        /// The element's name without the prefix of its namespace.
        var localName: String { name.split(separator: ":").last.map(String.init) ?? "" }

        /// Whether the content of the element must not be shown.
        var hidesContent: Bool {
            ["script", "style"].contains(name.lowercased()) || words.contains(where: SecretNames.contains)
        }

        /// The index where the element's content ends, in the lowercased bytes after the tag. Without an end tag, as
        /// for HTML's `input` or in a text that was cut off, the content ends at the next tag.
        func endOfContent(in bytes: ArraySlice<UInt8>) -> Int {
            if let endTag = bytes.firstRange(of: Array("</\(name.lowercased())".utf8)) { return endTag.lowerBound }
            return bytes.firstIndex(of: UInt8(ascii: "<")) ?? bytes.endIndex
        }
    }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        self >= 0x80 || isDigit || isASCIILetter || "_-.:[]".utf8.contains(self)
    }
}
