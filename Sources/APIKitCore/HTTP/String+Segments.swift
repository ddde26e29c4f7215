import APIKitSupport

extension String {
    /// Whether a segment of this path is one or two dots, also if dots, slashes or backslashes are percent-encoded
    /// (RFC 3986, sections 3.3 and 6.2.2), or if a semicolon follows.
    package var hasDotSegment: Bool {
        let mayHaveDots = !allBytesSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "%") }
        guard mayHaveDots else { return false }
        let bytes = Array(removingPercentEncodingOfASCII.utf8)
        let segments = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return segments.contains { segment in
            // Some servers cut a segment at its first semicolon before they resolve it: `..;v=1` is `..` to them.
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// Whether all bytes satisfy a condition.
    ///
    /// The `utf8` view would take far longer, since it looks up the storage of the text for each byte, and `allSatisfy`
    /// calls an iterator for each byte in a build without optimization.
    package func allBytesSatisfy(_ condition: (UInt8) -> Bool) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            var position = 0
            while position < bytes.count {
                if !condition(bytes[position]) { return false }
                position += 1
            }
            return true
        }
    }
}
