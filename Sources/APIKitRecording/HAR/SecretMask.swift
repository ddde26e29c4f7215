import APIKitCore
import APIKitTesting

/// Masks the secrets of one exchange, by their names and, once found, wherever else their values stand.
struct SecretMask {
    let vocabulary: SecretVocabulary
    /// The values that were masked so far and are long enough to be replaced anywhere.
    private var values = KnownValues()

    init(_ vocabulary: SecretVocabulary) {
        self.vocabulary = vocabulary
    }

    /// - Returns: Whether there is a new value among them.
    @discardableResult
    private mutating func remember(_ secrets: some Sequence<String>) -> Bool {
        let count = values.count
        for secret in secrets {
            values.insert(secret)
            values.insert(secret.removingPercentEncodingOfASCII)
        }
        return values.count > count
    }

    /// Any text, masked.
    mutating func text(_ text: String) -> String {
        // Known values first, of which a name may show only a part.
        let (masked, secrets) = Masking.text(values.masked(in: text), vocabulary)
        return remember(secrets) ? values.masked(in: masked) : masked
    }

    // MARK: - Heads

    /// The URL of a request, masked.
    mutating func url(of request: HTTPRequest) -> String {
        remember(request.credentialValues)
        return text(request.urlWithoutCredentials.absoluteString)
    }

    /// Headers, masked: of cookies their values, of other secrets everything.
    mutating func headers(_ headers: HTTPHeaders, credentials: Set<CredentialPlace> = []) -> HTTPHeaders {
        HTTPHeaders(
            headers.map { field in
                var field = field
                if field.name == .cookie {
                    field.value = field.value.split(separator: ";").map { cookie($0) }.joined(separator: "; ")
                } else if field.name == .setCookie {
                    field.value = Self.cookies(in: field.value).map { setCookie($0) }.joined(separator: ",")
                } else if credentials.contains(.header(field.name)) || vocabulary.contains(field.name.rawValue) {
                    remember(secrets(inCredential: field.value))
                    field.value = Masking.mask
                } else {
                    field.value = text(field.value)
                }
                return field
            })
    }

    /// The cookies of a `Set-Cookie`, several of which Foundation joins by commas, as a date contains one too.
    private static func cookies(in value: String) -> [String] {
        value.split(separator: ",", omittingEmptySubsequences: false).reduce(into: []) { cookies, part in
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let isCookie = name.endIndex < part.endIndex && part[name.endIndex] == "="
            if cookies.isEmpty || isCookie && !name.drop(while: \.isWhitespace).contains(" ") {
                cookies.append(String(part))
            } else {
                cookies[cookies.count - 1] += ",\(part)"
            }
        }
    }

    private mutating func setCookie(_ value: String) -> String {
        let space = value.prefix { $0 == " " }
        let parts = value.dropFirst(space.count).split(separator: ";", omittingEmptySubsequences: false)
        let attributes = parts.dropFirst().map { part in
            let name = part.prefix { $0 != "=" }.drop { $0 == " " }.lowercased()
            return Self.cookieAttributes.contains(name) ? text(String(part)) : " \(cookie(part))"
        }
        return space + ([cookie(parts.first ?? "")] + attributes).joined(separator: ";")
    }

    private static let cookieAttributes: Set<String> = [
        "", "path", "domain", "expires", "max-age", "secure", "httponly", "samesite", "partitioned", "priority",
    ]

    private mutating func cookie(_ pair: Substring) -> String {
        guard let sign = pair.firstIndex(of: "=") else { return Masking.mask }
        remember([String(pair[sign...].dropFirst())])
        return "\(pair[..<sign].drop { $0 == " " })=\(Masking.mask)"
    }

    /// A credential with and without its scheme, and the password of one of the scheme `Basic` (RFC 7617).
    private func secrets(inCredential value: String) -> [String] {
        let token = String(value.drop { $0 != " " }.dropFirst())
        let login = Data(base64Encoded: token).map { String(decoding: $0, as: UTF8.self) }
        return [value, token, login.map { String($0.drop { $0 != ":" }.dropFirst()) } ?? ""]
    }

    // MARK: - Bodies

    /// A body, masked if it is text. Bytes without secrets stay as they are.
    mutating func body(_ data: Data, type: MIMEType?) -> Data {
        let count = values.count
        let masked = maskedOnce(data, type: type)
        // A value may also stand before the name that shows it to be a secret.
        return values.count > count ? maskedOnce(masked, type: type) : masked
    }

    private mutating func maskedOnce(_ data: Data, type: MIMEType?) -> Data {
        let isText = type?.isTextual ?? true
        let text = String(decoding: data, as: UTF8.self)
        guard text.utf8.elementsEqual(data) else {
            // Byte for byte: the text around a secret is in another charset, or the fields of a form around a file.
            guard isText else { return data }
            var latin = ""
            latin.unicodeScalars.append(contentsOf: data.map { Unicode.Scalar($0) })
            let masked = (latin.hasPrefix("--") ? multipart(latin) : self.text(latin)).unicodeScalars.map {
                UInt8(truncatingIfNeeded: $0.value)
            }
            return Data(masked)
        }
        let first = text.utf8.first { !" \t\r\n".utf8.contains($0) }
        let isJSON = first.map("{[".utf8.contains) ?? false
        return Data((isJSON ? json(text) : text.hasPrefix("--") ? multipart(text) : self.text(text)).utf8)
    }

    /// JSON, masked so that it stays valid, and numbers stay numbers.
    private mutating func json(_ text: String) -> String {
        guard JSONTokens.isValid(text) else {
            // Several values, such as lines of JSON.
            let (masked, secrets) = Masking.text(values.masked(in: text), vocabulary, replacing: Self.maskingLeaves)
            remember(secrets)
            return masked
        }
        let result = maskingMembers(of: text)
        return JSONTokens.isValid(result) ? result : Self.maskingLeaves(in: text)
    }

    /// JSON with the strings and numbers masked that are values of secret names, at any depth, and known values
    /// wherever they are.
    private mutating func maskingMembers(of json: String) -> String {
        let bytes = Array(json.utf8)
        let tokens = Array(JSONTokens(bytes))
        var (output, end, depth, namesSecret): ([UInt8], Int, Int, Bool) = ([], 0, 0, false)
        var secretDepth: Int?
        for (index, token) in tokens.enumerated() {
            output += bytes[end..<token.range.lowerBound]
            end = token.range.upperBound
            let text = String(decoding: bytes[token.range], as: UTF8.self)
            let isSecret = namesSecret || secretDepth != nil
            var masked = text
            switch token.kind {
            case .string where index + 1 < tokens.count && tokens[index + 1].kind == .colon:
                namesSecret = vocabulary.contains(Self.unescaped(text))
            case .string:
                let content = String(text.dropFirst().dropLast())
                if isSecret { remember([content]) }
                masked = "\"\(isSecret ? Masking.mask : self.text(content))\""
            case .scalar where isSecret && text.utf8.first.map { $0 == UInt8(ascii: "-") || $0.isASCIIDigit } == true:
                masked = "0"
            case .open:
                if isSecret, secretDepth == nil { secretDepth = depth }
                depth += 1
            case .close:
                depth -= 1
                if secretDepth == depth { secretDepth = nil }
            case .colon, .comma, .scalar: break
            }
            if token.kind == .comma || token.kind == .open || token.kind == .close { namesSecret = false }
            output += masked.utf8
        }
        return String(decoding: output + bytes[end...], as: UTF8.self)
    }

    /// The text of a string in JSON.
    private static func unescaped(_ string: String) -> String {
        (try? JSONDecoder().decode(String.self, from: Data(string.utf8))) ?? string
    }

    /// A form with files (RFC 7578), with the bodies of secret parts masked.
    private mutating func multipart(_ text: String) -> String {
        let boundary = text.components(separatedBy: "\r\n")[0]
        let parts = text.components(separatedBy: boundary).map { part in
            guard let head = part.components(separatedBy: "\r\n\r\n").first, head.utf8.count < part.utf8.count,
                let name = head.components(separatedBy: " name=\"").dropFirst().first?.prefix(while: { $0 != "\"" }),
                vocabulary.contains(name)
            else { return self.text(part) }
            remember(part.dropFirst(head.count).split(whereSeparator: \.isNewline).map(String.init))
            return "\(head)\r\n\r\n\(Masking.mask)\r\n"
        }
        return parts.joined(separator: boundary)
    }

    /// A value of JSON with all of its strings and numbers masked, also one within a string, and one with the signs
    /// after it that a header's value would contain.
    private static func maskingLeaves(in text: String) -> String {
        if ["true", "false", "null"].contains(text.filter { !$0.isWhitespace }) { return text }
        if JSONTokens.isValid(text) || text.utf8.allSatisfy("0123456789+-.eE,:{}[] \t\r\n".utf8.contains) {
            return JSONTokens.replacing(in: Array(text.utf8), string: { _ in Masking.mask }, number: "0")
        }
        let unescaped = text.replacing("\\\"", with: "\"")
        guard JSONTokens.isValid(unescaped) else { return Masking.mask }
        return maskingLeaves(in: unescaped).replacing("\"", with: "\\\"")
    }
}

extension MIMEType {
    /// Whether bytes of this type are text, in which secrets can be found.
    fileprivate var isTextual: Bool {
        ["text/", "json", "xml", "urlencoded", "javascript", "multipart/", "graphql", "yaml"]
            .contains(where: essence.contains)
    }
}
