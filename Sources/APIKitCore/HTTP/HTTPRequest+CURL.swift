import APIKitSupport

extension HTTPRequest {
    /// The request as a command line for curl, with secrets masked.
    public var curlCommand: String { curlCommand(showingSecrets: false) }

    /// The request as a command line for a POSIX shell and curl, which sends the same method, URL, headers and body.
    ///
    /// Headers that curl adds, such as `Accept`, are turned off unless the request has them. If the request has no
    /// `User-Agent`, curl sends its own, as engines send theirs: many servers refuse a request without one. The
    /// command expects the body on standard input if it is a stream; unless secrets are shown, also if it is markup or
    /// not text, in which secrets cannot be found to mask them.
    ///
    /// - Parameter showsSecrets: Whether to include secrets. If false, those with known names are masked in the URL,
    ///   headers, forms and JSON.
    /// - Returns: The command line.
    public func curlCommand(showingSecrets showsSecrets: Bool) -> String {
        var words = ["curl", "--globoff", "--path-as-is"]
        if method == .head {
            words.append("--head")
        } else if method != .get || body != nil {
            words.append("--request \(method.rawValue.shellWord)")
        }
        let shownURL = showsSecrets ? url.absoluteString : maskedURL
        words.append(shownURL.shellWord)
        for line in curlHeaderLines(showingSecrets: showsSecrets) { words.append("--header \(line.shellWord)") }
        guard let body else { return words.joined(separator: " ") }

        words.append("--data-binary @-")
        let curl = words.joined(separator: " ")
        let sources: [String]
        if showsSecrets {
            sources = body.shellSources()
        } else {
            sources = body.shellSources { maskingCredentials(in: Masking.masked($0)) }
        }
        // Without sources, the user supplies standard input.
        guard !sources.isEmpty else { return curl }
        return "{ \(sources.joined(separator: "; ")); } | \(curl)"
    }

    /// Returns the arguments of curl's option `--header`. `Name: value` sends a header, `Name;` sends a header with an
    /// empty value, and `Name:` turns off a header that curl would add.
    private func curlHeaderLines(showingSecrets showsSecrets: Bool) -> [String] {
        var headers = headers
        if let body { headers.addContentType(of: body) }
        var lines = headers.map { field in
            let isBlank = field.value.trimmingSpaces().isEmpty
            if isBlank { return "\(field.name);" }
            return showsSecrets ? "\(field.name): \(field.value)" : maskedLine(field)
        }
        var unwanted: [HTTPHeaders.Name] = [.accept]
        if body != nil { unwanted += [.contentType, "Expect"] }
        for name in unwanted where headers[name] == nil { lines.append("\(name):") }
        // Methods that usually have a body state that it is empty (RFC 9110, section 8.6).
        let statesLength = [.post, .put, .patch].contains(method)
        if statesLength, body == nil { lines.append("Content-Length: 0") }
        return lines
    }
}

extension RequestBody {
    /// Commands that print the body; empty if curl reads it from standard input.
    ///
    /// - Parameter mask: Returns a text with its secrets masked; nil leaves them.
    /// - Returns: The commands, to be run in their order.
    fileprivate func shellSources(masking mask: ((String) -> String)? = nil) -> [String] {
        let pieces = if let mask { maskedPieces(mask) } else { self.pieces }
        // If the body is a single stream, curl reads it from standard input.
        if pieces.count == 1, case .stream = pieces[0] { return [] }
        return pieces.map { piece in
            switch piece {
            case .data(let data): "printf -- '\(data.printfFormat)'"
            case .file(let url, _, _): "cat \(url.path.shellWord)"
            case .fileRange(let range): range.shellSource
            case .stream: "cat"
            }
        }
    }

    /// Returns the pieces with their secrets masked. A secret is recognized by its name: that of a member in a text, or
    /// of a field in a form.
    private func maskedPieces(_ mask: (String) -> String) -> [BodyReader.Piece] {
        switch content {
        case .data(let data):
            // Without names, as in an image or in markup, nothing shows what is secret. So the data is left out.
            guard let text = String(data: data, encoding: .utf8), !Masking.hasHiddenNames(data) else { return [] }
            return [.data(mask(text).utf8Data)]
        case .multipart(let form):
            return form.masked.pieces
        case .file, .fileRange, .stream, .failure:
            // The command has the path of a file, and nothing of a stream or a failure: no contents to be masked.
            return pieces
        }
    }
}

extension FileRange {
    /// A command that prints the bytes.
    fileprivate var shellSource: String {
        // BSD's `head` refuses a count of 0.
        if bytes.isEmpty { return "printf -- ''" }
        // `tail` counts bytes from 1. It seeks, while POSIX's `dd` would read single bytes or a multiple of them.
        return "tail -c +\(bytes.lowerBound + 1) \(url.path.shellWord) | head -c \(bytes.count)"
    }
}

extension Data {
    /// The bytes as a format string for a shell's `printf`, to be put in single quotes. Bytes that are not printable
    /// ASCII are written as octal numbers.
    fileprivate var printfFormat: String {
        var text: [UInt8] = []
        for byte in self {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"):
                text.append(byte)
                text.append(byte)
            case UInt8(ascii: "'"), 0..<0x20, 0x7F...:
                text.append(UInt8(ascii: "\\"))
                for octalDigit in [byte >> 6, byte >> 3 & 7, byte & 7] {
                    text.append(UInt8(ascii: "0") + octalDigit)
                }
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension String {
    /// The text as one quoted word of a POSIX shell.
    ///
    /// A shell reads bytes, so this looks for the byte of an apostrophe: an apostrophe with a combining character is
    /// another `Character`, but also ends the word.
    fileprivate var shellWord: String {
        var bytes = Array(utf8)
        bytes.replace("'".utf8, with: "'\\''".utf8)
        return "'\(String(decoding: bytes, as: UTF8.self))'"
    }
}
