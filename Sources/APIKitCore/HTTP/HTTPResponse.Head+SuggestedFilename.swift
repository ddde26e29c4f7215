import APIKitSupport

extension HTTPResponse.Head {
    /// The name that the server suggests for a file with the body, safe to use in a folder of your choice; nil if it
    /// suggests none.
    ///
    /// ```swift
    /// let reply = try await client.reply(to: ReportRequest())
    /// let name = reply.head.suggestedFilename ?? "report.pdf"
    /// try reply.model.write(to: folder.appending(path: name))
    /// ```
    ///
    /// The name is the parameter `filename*` of `Content-Disposition`, or else `filename` (RFC 6266, section 4.3; RFC
    /// 8187). Many servers write UTF-8 into `filename`, which is read, too. Without either, the name is the last
    /// component of the URL's path if that has an extension: it is `film.mp4` for `https://example.com/film.mp4`, and
    /// nil for `https://example.com/films/7`, since a name of yours is better than `7`. Foundation's
    /// `URLResponse.suggestedFilename` would use `7`, and without a path the host or "Unknown".
    ///
    /// A server can suggest any text. These parts are removed:
    ///
    /// | Removed | Reason |
    /// | --- | --- |
    /// | everything up to the last `/` or `\` | the server must not choose the folder, as `../../.bashrc` would |
    /// | control characters, such as NUL, and line separators | they end names early, and garble lists of files |
    /// | characters that change the direction of text | a program could be displayed as `photoexe.jpg` |
    /// | dots and spaces at both ends | `..` is a folder, `.bashrc` is hidden, and Windows ignores those at the end |
    /// | what exceeds 255 bytes of UTF-8, before the extension | most file systems refuse longer names |
    ///
    /// If nothing remains of a name, the next one counts. All other characters stay, such as `:`, and so does any
    /// extension: `report.pdf.exe` remains a program. A file of this name may exist, and could be overwritten.
    public var suggestedFilename: String? {
        if let disposition = headers.values(for: "Content-Disposition").first,
            let name = Self.filename(in: disposition)
        {
            return name
        }
        return filenameOfURL
    }

    /// Returns the safe name in the value of a `Content-Disposition`; nil if it has none.
    private static func filename(in disposition: String) -> String? {
        // Some servers omit the type before the parameters. With a semicolon, the first parameter is found then, too.
        let parameters = ";\(disposition)"
        if let value = parameters.headerParameter("filename*"), let text = ExtendedValue.text(of: value),
            let name = Filename.sanitizing(text)
        {
            return name
        }
        guard let text = parameters.headerParameter("filename") else { return nil }
        return Filename.sanitizing(Filename.restoringUTF8(in: text))
    }

    /// The safe name of the last component of the URL's path; nil if the component is empty or has no extension.
    private var filenameOfURL: String? {
        let path = URIReference(lazyURL.text).path
        let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let component = components.last else { return nil }
        guard let bytes = component.percentDecoded, let text = Charset.utf8.text(of: bytes) else { return nil }
        guard let name = Filename.sanitizing(text) else { return nil }
        // A dot is within the name, since those at its ends were removed.
        let hasExtension = name.utf8.contains(UInt8(ascii: "."))
        return hasExtension ? name : nil
    }
}

/// Safe names of files.
private enum Filename {
    /// The number of bytes that most file systems allow in a name.
    private static let maxLength = 255
    /// The greatest length of an extension, in bytes with its dot, that is kept if a name is too long.
    private static let maxExtensionLength = 32

    /// Returns a text as the name of a file in a folder, without what ``HTTPResponse/Head/suggestedFilename`` lists;
    /// nil if nothing remains.
    static func sanitizing(_ text: String) -> String? {
        var allowed = Substring.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isRemoved(scalar) { allowed.append(scalar) }
        guard let component = allowed.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last else { return nil }
        var name = trimming(component)
        if name.utf8.count > maxLength { name = shortening(name) }
        return name.isEmpty ? nil : name
    }

    /// Whether a scalar is removed from any place in a name.
    private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }

    /// Returns a name without dots and spaces at both ends.
    private static func trimming(_ name: Substring.UnicodeScalarView) -> String {
        var name = name
        while let first = name.first, isTrimmed(first) { name.removeFirst() }
        while let last = name.last, isTrimmed(last) { name.removeLast() }
        return String(name)
    }

    private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar.properties.isWhitespace
    }

    /// Returns a name of at most ``maxLength`` bytes, which are the beginning of a longer name and its extension.
    private static func shortening(_ name: String) -> String {
        var stem = name.unicodeScalars[...]
        var fileExtension = ""
        if let dot = stem.lastIndex(of: "."), name.utf8.distance(from: dot, to: name.endIndex) <= maxExtensionLength {
            fileExtension = String(name[dot...])
            stem = stem[..<dot]
        }
        let stemLength = maxLength - fileExtension.utf8.count
        var length = 0
        var shortened = Substring.UnicodeScalarView()
        for scalar in stem {
            length += UTF8.width(scalar)
            if length > stemLength { break }
            shortened.append(scalar)
        }
        return trimming(shortened) + fileExtension
    }

    /// Returns the text of bytes in UTF-8 that were read as Latin-1, as `URLSession` does on Apple's platforms. Any
    /// other text stays.
    ///
    /// Many servers write names in UTF-8, which `filename` does not allow (RFC 6266, appendix D), but browsers read.
    static func restoringUTF8(in text: String) -> String {
        if text.isASCII { return text }
        var bytes = Data()
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            bytes.append(byte)
        }
        return Charset.utf8.text(of: bytes) ?? text
    }
}
