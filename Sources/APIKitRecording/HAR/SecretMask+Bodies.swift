public import APIKitCore
import APIKitSupport
import APIKitTesting

extension SecretMask {
    /// Masks a body if it is text, and remembers the secrets in it. A body without secrets keeps its bytes.
    public mutating func maskedBody(_ data: Data, type: MIMEType?) -> Data {
        let count = knownValues.count
        let masked = maskedInOnePass(data, type)
        // If the pass found secrets, another one masks their values where they occurred before their names.
        let hasFoundSecrets = knownValues.count > count
        return hasFoundSecrets ? maskedInOnePass(masked, type) : masked
    }

    /// Masks a body with the secrets that were known before, and with those that are found earlier in the body.
    ///
    /// Text in UTF-8 is masked whatever its type is. Other bytes are masked only if the type is one of text, or
    /// unknown: they may be text in another charset, or a form that contains a file.
    private mutating func maskedInOnePass(_ data: Data, _ type: MIMEType?) -> Data {
        let text = String(decoding: data, as: UTF8.self)
        let isUTF8 = text.utf8.elementsEqual(data)
        if isUTF8 { return Data(maskedBodyText(text).utf8) }
        let mayBeText = type?.isTextual ?? true
        guard mayBeText else { return data }
        // In Latin-1, each byte is one character. So the bytes around a secret are the same after masking.
        let latin1 = String(String.UnicodeScalarView(data.map(Unicode.Scalar.init)))
        return Data(maskedBodyText(latin1).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// Masks the text of a body: as a multipart form, as JSON, or as plain text, which its first characters decide.
    private mutating func maskedBodyText(_ text: String) -> String {
        let isMultipart = text.hasPrefix("--")
        if isMultipart { return maskedMultipart(text) }
        let first = text.utf8.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return mayBeJSON ? maskedJSON(text) : maskedText(text)
    }

    // MARK: - JSON

    /// Masks JSON, or lines of JSON, so that it stays valid and numbers stay numbers. A text that is neither, such as
    /// JSON that is cut off, is masked as plain text.
    private mutating func maskedJSON(_ text: String) -> String {
        if JSONTokens.areValid(in: Data(text.utf8)) { return maskedMembers(of: text) }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let areJSON = lines.allSatisfy { line in
            let isBlank = line.allSatisfy(" \t\r".utf8.contains)
            return isBlank || JSONTokens.areValid(in: Data(line))
        }
        guard areJSON else { return maskedText(text) }
        let maskedLines = lines.map { line in maskedMembers(of: String(Substring(line))) }
        return maskedLines.joined(separator: "\n")
    }

    /// Masks all strings and numbers within the members with secret names, at any depth, and secrets within all other
    /// strings: `{"pin": 17, "note": "token=abc"}` becomes `{"pin": 0, "note": "token=***"}`.
    ///
    /// White space, escapes and the order of members stay: only the tokens with secrets are replaced. The scope tracks
    /// whether the current token is within a member with a secret name.
    private mutating func maskedMembers(of json: String) -> String {
        let bytes = Array(json.utf8)
        let tokens = Array(JSONTokens(bytes))
        var output: [UInt8] = []
        var endOfPreviousToken = 0
        var scope = SecretScope()
        for (index, token) in tokens.enumerated() {
            let space = bytes[endOfPreviousToken..<token.range.lowerBound]
            endOfPreviousToken = token.range.upperBound
            var content = bytes[token.range]
            switch token.kind {
            case .string:
                let isName = index + 1 < tokens.count && tokens[index + 1].kind == .colon
                if isName {
                    scope.beginMember(isSecret: vocabulary.contains(Self.text(of: content)))
                    content = maskedName(content)
                } else {
                    content = maskedString(content, isSecret: scope.isSecret)
                }
            case .scalar:
                if scope.isSecret { content = Self.maskedScalar(content) }
            case .open: scope.open()
            case .close: scope.close()
            case .comma: scope.endMember()
            case .colon: break
            }
            output += space + content
        }
        let spaceAtEnd = bytes[endOfPreviousToken...]
        return String(decoding: output + spaceAtEnd, as: UTF8.self)
    }

    /// Masks a secret number, Boolean or null: a number becomes 0, so that it can still be decoded as a number. A
    /// Boolean or null reveals nothing, and stays.
    private static func maskedScalar(_ scalar: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        isNumber(scalar) ? [UInt8(ascii: "0")] : scalar
    }

    /// Whether a scalar is a number: scalars that are not strings are numbers, Booleans and null.
    private static func isNumber(_ scalar: ArraySlice<UInt8>) -> Bool {
        !["true", "false", "null"].contains(String(decoding: scalar, as: UTF8.self))
    }

    /// Masks the known secrets in the name of a member, which may be a secret itself, as in `{"<token>": {…}}`.
    private func maskedName(_ token: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let name = Self.text(of: token)
        let masked = knownValues.masked(in: name)
        return masked == name ? token : Self.token(of: masked)
    }

    /// Masks a string of JSON. Without secrets, its bytes and escapes stay as they are.
    private mutating func maskedString(_ token: ArraySlice<UInt8>, isSecret: Bool) -> ArraySlice<UInt8> {
        let text = Self.text(of: token)
        let masked: String
        if isSecret {
            // Another text may contain the secret with the same escapes, so that form is remembered too.
            let escaped = String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
            remember([text, escaped])
            masked = Masking.mask
        } else {
            masked = maskedText(text)
        }
        return masked == text ? token : Self.token(of: masked)
    }

    /// The text of a string in JSON; with its escapes if one of them is invalid.
    private static func text(of token: ArraySlice<UInt8>) -> String {
        JSONTokens.unescaped(token) ?? String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    }

    /// A text as a string in JSON, with quotes and escapes.
    private static func token(of text: String) -> ArraySlice<UInt8> {
        Array(JSONValue.string(text).text().utf8)[...]
    }

    // MARK: - Multipart forms

    /// Masks a multipart form (RFC 7578): the contents of parts with a secret name, and secrets within other parts.
    private mutating func maskedMultipart(_ text: String) -> String {
        // Each part begins with the boundary, in a line of its own.
        let boundary = text.components(separatedBy: "\r\n")[0]
        let parts = text.components(separatedBy: boundary).map { maskedPart($0) }
        return parts.joined(separator: boundary)
    }

    /// Masks a part of a multipart form: all of its content if its name is secret, otherwise the secrets within it.
    private mutating func maskedPart(_ part: String) -> String {
        // An empty line separates the headers of a part from its content.
        let headers = part.components(separatedBy: "\r\n\r\n")[0]
        let separatorAndContent = part.dropFirst(headers.count)
        let hasContent = !separatorAndContent.isEmpty
        guard hasContent, let name = Self.fieldName(inHeaders: headers), vocabulary.contains(name) else {
            return maskedText(part)
        }
        // A secret that was masked once is masked wherever else it appears, without a name beside it. Each line is
        // remembered on its own, since another text may contain the lines with other line endings.
        remember(separatorAndContent.split(whereSeparator: \.isNewline).map(String.init))
        return "\(headers)\r\n\r\n\(Masking.mask)\r\n"
    }

    /// Returns the field name in the headers of a part, as in `Content-Disposition: form-data; name="pin"`; nil if
    /// there is none.
    private static func fieldName(inHeaders headers: String) -> Substring? {
        headers.components(separatedBy: " name=\"").dropFirst().first?.prefix { $0 != "\"" }
    }
}

/// Tracks whether the next value of a JSON text is secret.
///
/// A value is secret if the name of its member is, or that of a list or object that contains it: in
/// `{"pin": [1, {"a": 2}], "b": 3}`, 1 and 2 are secret, and 3 is not.
private struct SecretScope {
    /// Whether the next value is secret.
    private(set) var isSecret = false
    /// Whether each open list or object is secret as a whole.
    private var isContainerSecret: [Bool] = []

    /// Enters a list or an object, which is secret as a whole if it is the value of a secret member.
    mutating func open() {
        isContainerSecret.append(isSecret)
    }

    /// Leaves a list or an object, and restores whether the value that it is was secret.
    mutating func close() {
        isSecret = isContainerSecret.popLast() ?? false
    }

    /// Begins a member. Within a secret object, its value is secret whatever its name is.
    mutating func beginMember(isSecret isNameSecret: Bool) {
        isSecret = isSecret || isNameSecret
    }

    /// Ends a member or an element: the next one is secret only if the object or list around it is.
    mutating func endMember() {
        isSecret = isContainerSecret.last ?? false
    }
}

extension MIMEType {
    /// Whether bytes of this type are text, in which secrets can be found.
    fileprivate var isTextual: Bool {
        ["text/", "json", "xml", "urlencoded", "javascript", "multipart/", "graphql", "yaml"]
            .contains(where: essence.contains)
    }
}
