/// HTML and XML in error texts: only the elements that describe the error are shown.
///
/// Other elements may contain a secret that cannot be recognized by its name, as in
/// `<td>password</td><td>hunter2</td>`.
enum Markup {
    /// The elements whose text is shown, in lower case: HTML's title, the problem details of RFC 9457, the fault of
    /// SOAP, and the message of most other XML.
    private static let shownElements: Set<String> = ["title", "message", "detail", "faultstring"]

    /// Returns the text of the elements that are shown, with a space between two; empty if there are none. Of
    /// `<title>Error</title><p>token</p>`, this is `Error`.
    ///
    /// An element is not shown if it has a secret name or an attribute with one, or is within such an element.
    static func summary(of bytes: [UInt8]) -> String {
        let folded = bytes.map(\.lowercasedASCII)
        var texts: [String] = []
        var endTags = EndTags(in: folded)
        var index = 0
        while let start = folded[index...].firstIndex(of: UInt8(ascii: "<")) {
            let isComment = folded[start...].starts(with: "<!--".utf8)
            if isComment {
                index = end(of: "-->", in: folded[start...])
                continue
            }
            index = end(of: ">", in: folded[start...])
            let tag = Tag(bytes[start..<index])
            if tag.isStart, tag.hidesContent {
                // Without an end, all of the rest is hidden.
                index = endOfHiddenContent(of: tag, from: index, &endTags) ?? folded.endIndex
            } else if tag.isStart, isShown(tag) {
                let text = bytes[index...].prefix { $0 != UInt8(ascii: "<") }
                texts.append(String(decoding: text, as: UTF8.self))
                index = text.endIndex
            }
        }
        return texts.joined(separator: " ")
    }

    /// Whether the text of an element describes the error.
    private static func isShown(_ tag: Tag) -> Bool {
        // The errors of S3 and Azure have an element `Code`. In HTML, `code` is any text in a fixed-width font.
        tag.localName == "Code" || shownElements.contains(tag.localName.lowercased())
    }

    /// Returns the end of the content of an element of which nothing is shown; nil if its end tag is missing, as in a
    /// text that was cut off.
    private static func endOfHiddenContent(of tag: Tag, from index: Int, _ endTags: inout EndTags) -> Int? {
        if tag.isEmpty { return index }
        if tag.isCode { return endTags.next(of: tag.name, after: index) }
        // An element may contain another one of the same name. So everything up to the last end tag of the name is
        // hidden, since an earlier one may belong to the inner element.
        return endTags.last(of: tag.name, after: index)
    }

    /// Returns the index after a mark, or else the end of the text.
    private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int {
        bytes.firstRange(of: Array(mark.utf8))?.upperBound ?? bytes.endIndex
    }

    /// A tag, from its `<` to its `>`.
    private struct Tag {
        /// The name of the element, followed by the names and values of its attributes.
        private let words: [String]
        /// Whether the tag begins an element.
        let isStart: Bool
        /// Whether the tag is also the end of its element, as in `<token/>`.
        private let isClosed: Bool

        /// Reads a tag such as `<a:input name="q"/>`, which has the words `a:input`, `name` and `q`.
        init(_ bytes: ArraySlice<UInt8>) {
            words = bytes.split { !$0.isTokenCharacter }.map { String(decoding: $0, as: UTF8.self) }
            isStart = !words.isEmpty && bytes.dropFirst().first != UInt8(ascii: "/")
            isClosed = bytes.suffix(2).elementsEqual("/>".utf8)
        }

        /// The name of the element.
        var name: String { words.first ?? "" }

        /// The element's name without the prefix of its namespace.
        var localName: String { name.split(separator: ":").last.map(String.init) ?? "" }

        /// HTML's elements without content, which have no end tag.
        private static let emptyElements: Set<String> = ["input", "meta", "br", "img", "link", "hr"]

        /// Whether the element has no content.
        var isEmpty: Bool { isClosed || Self.emptyElements.contains(name.lowercased()) }

        /// Whether the content is a script or a style sheet, which contains no elements.
        var isCode: Bool { ["script", "style"].contains(name.lowercased()) }

        /// Whether nothing within the element is shown.
        var hidesContent: Bool { isCode || words.contains(where: SecretNames.contains) }
    }

    /// Where the end tags of each element are. They are found in one pass, since a search for each element would take
    /// quadratic time for a text with many elements that do not end.
    private struct EndTags {
        /// The positions of the end tags of each name, the last one first.
        private var positions: [String: [Int]] = [:]

        /// Finds the end tags of a text.
        ///
        /// - Parameter bytes: The text in lower case.
        init(in bytes: [UInt8]) {
            var rest = bytes[...]
            while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
                rest = rest[(start + 1)...]
                guard rest.first == UInt8(ascii: "/") else { continue }
                let name = rest.dropFirst().prefix { $0.isTokenCharacter }
                positions[String(decoding: name, as: UTF8.self), default: []].append(start)
            }
            positions = positions.mapValues { $0.reversed() }
        }

        /// Returns the position of the next end tag of an element. Earlier ones are forgotten, so ask with growing
        /// positions.
        mutating func next(of name: String, after index: Int) -> Int? {
            let name = name.lowercased()
            while let position = positions[name]?.last {
                if position >= index { return position }
                positions[name]?.removeLast()
            }
            return nil
        }

        /// Returns the position of the last end tag of an element, if it is after an index.
        func last(of name: String, after index: Int) -> Int? {
            guard let position = positions[name.lowercased()]?.first, position >= index else { return nil }
            return position
        }
    }
}

extension UInt8 {
    fileprivate var isTokenCharacter: Bool {
        self >= 0x80 || isDigit || isASCIILetter || "_-.:[]".utf8.contains(self)
    }
}
