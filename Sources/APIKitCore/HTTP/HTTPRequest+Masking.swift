import APIKitSupport

extension HTTPRequest {
    /// The URL with secrets masked, including those that ``RequestOptions/secretNames`` lists.
    package var maskedURL: String {
        Masking.masked(Masking.url(urlWithoutSecrets), hiding: SecretForms.spellings(of: pathSecrets))
    }

    /// The URL with the values of ``RequestOptions/secretNames`` masked.
    package var urlWithoutSecrets: URL {
        guard !options.secretNames.isEmpty, url.query != nil else { return url }
        let items = url.queryItems.map { item in
            guard isNamedSecret(item.queryItemName) else { return item }
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            return (Array(name) + "=\(Masking.mask)".utf8)[...]
        }
        // Never nil, since a query may contain the asterisks of the mask.
        return url.withQueryItems(items) ?? url
    }

    /// Returns a header as a line, with a secret masked.
    package func maskedLine(_ field: HTTPHeaders.Field) -> String {
        guard isNamedSecret(field.name.rawValue) else { return field.description }
        return "\(field.name): \(Masking.mask)"
    }

    /// Masks this request's secrets in a text about the request or its response, such as an error or a body.
    package func maskingCredentials(in text: String) -> String {
        Masking.masked(text, hiding: credentialValues)
    }

    /// The secrets of the request, which are masked wherever a text about it or its response repeats them:
    ///
    /// - the values of headers with the name of a secret, with and without a scheme such as `Bearer`
    /// - the fields of a form in the body with the name of a secret
    /// - the query items that ``RequestOptions/secretNames`` lists
    /// - the values of the path with the name of a secret
    ///
    /// Each is listed both percent-encoded and decoded. Secrets of less than four bytes are left out.
    package var credentialValues: [String] {
        var values: [String] = []
        for field in headers {
            guard isSecret(field.name.rawValue) else { continue }
            values += SecretForms.withAndWithoutScheme(field.value)
            if let password = SecretForms.password(inBasic: field.value) { values.append(password) }
        }
        return SecretForms.spellings(of: values + formSecrets) + urlSecrets
    }

    /// The values of a form in the body with the name of a secret, such as a refresh token, which a server may repeat
    /// in its response.
    private var formSecrets: [String] { Self.values(in: formItems, where: isSecret) }

    /// The fields of a form in the body. A form of more than 64 KiB is not searched, which would take too long for a
    /// description.
    private var formItems: [ArraySlice<UInt8>] {
        guard body?.contentType == .formURLEncoded, let data = body?.data, data.count <= 64 * 1024 else { return [] }
        return Array(data)[...].queryItems
    }

    /// The values of query items that ``RequestOptions/secretNames`` lists, and the values of the path that are named
    /// as secrets.
    package var urlSecrets: [String] { SecretForms.spellings(of: querySecrets + pathSecrets) }

    /// The values of query items that ``RequestOptions/secretNames`` lists.
    private var querySecrets: [String] {
        guard !options.secretNames.isEmpty else { return [] }
        return Self.values(in: url.queryItems, where: isNamedSecret)
    }

    /// Returns the values of items whose names satisfy a condition, as they are sent.
    private static func values(in items: [ArraySlice<UInt8>], where isSecret: (_ name: String) -> Bool) -> [String] {
        var values: [String] = []
        for item in items where isSecret(item.queryItemName) {
            let value = item.drop { $0 != UInt8(ascii: "=") }.dropFirst()
            values.append(String(decoding: value, as: UTF8.self))
        }
        return values
    }

    private var pathSecrets: [String] { pathValues.secrets(named: options.secretNames) }

    /// Whether a name is that of a secret, or listed as one by the options of the request.
    private func isSecret(_ name: String) -> Bool { isNamedSecret(name) || SecretNames.contains(name) }

    /// Whether the options of the request list a name as that of a secret.
    private func isNamedSecret(_ name: String) -> Bool {
        options.secretNames.contains { name.equalsIgnoringASCIICase($0) }
    }

    // MARK: - Names

    /// Which credentials the request has, for the error of a server that refuses it: `with Authorization`, with the
    /// names of other secrets, or `without Authorization`.
    var credentialSummary: String {
        let names = credentialNames
        if !names.isEmpty { return Masking.bounded(Masking.oneLine("with \(names.joined(separator: ", "))")) }
        guard let protectedOrigin else { return "without Authorization" }
        return "without Authorization, since it left \(protectedOrigin.originText)"
    }

    /// The names of the secrets in the headers, the URL and a form in the body, each once. A name that may be a secret
    /// itself is masked.
    private var credentialNames: [String] {
        var names: [String] = []
        // In lower case. A set, since a redirect can lead to a URL with tens of thousands of names.
        var known: Set<String> = []
        func append(_ name: String) {
            if known.insert(name.lowercased()).inserted { names.append(name) }
        }
        for name in headers.map(\.name.rawValue) where isSecret(name) { append(name) }
        // libcurl sends it as `Authorization`.
        let hasUserInformation = URIReference(url.absoluteString).authority?.contains(UInt8(ascii: "@")) == true
        if hasUserInformation { append("user information") }
        for item in url.queryItems + formItems {
            let name = item.queryItemName
            guard isSecret(name), !isPosition(name) else { continue }
            // A text without an equals sign may be a whole body that only claims to be a form.
            let isNameOfValue = item.contains(UInt8(ascii: "="))
            append(isNameOfValue && name.isPlainName ? name : Masking.mask)
        }
        for name in pathValues.map(\.name) where isSecret(name) { append(name) }
        return names
    }

    /// Whether a name is that of a position in a list, such as `pageToken`. It is masked as a secret, since positions
    /// may contain anything, but it gives no access. Names that the options list are secrets in any case.
    private func isPosition(_ name: String) -> Bool {
        let letters = name.lowercased().utf8.filter(\.isASCIILetter)
        let positions = ["pagetoken", "nexttoken", "continuationtoken", "synctoken", "skiptoken", "paginationtoken"]
        let isNamedPosition = positions.contains { letters.elementsEqual($0.utf8) }
        return isNamedPosition && !isNamedSecret(name)
    }
}
