extension HTTPRequest {
    /// The URL with secrets masked, and the credentials that clients have added, whatever their names.
    package var maskedURL: String { Masking.url(urlWithoutCredentials) }

    /// The URL with the credentials masked that clients have added.
    package var urlWithoutCredentials: URL {
        guard credentialPlaces.contains(where: \.isQuery) else { return url }
        let items = url.queryItems.map { item in
            let name = item.queryItemName
            guard credentialPlaces.contains(.query(name)) else { return item }
            return item.prefix { $0 != UInt8(ascii: "=") } + "=\(Masking.mask)".utf8
        }
        return url.withQueryItems(items) ?? url
    }

    /// A header as a line, with a secret masked.
    package func maskedLine(_ field: HTTPHeaders.Field) -> String {
        credentialPlaces.contains(.header(field.name)) ? "\(field.name): \(Masking.mask)" : field.description
    }

    /// A text about this request, such as an error or a body, without the values of the credentials that clients have
    /// added, or of `Authorization`.
    package func maskingCredentials(in text: String) -> String {
        Masking.text(text, hiding: credentialValues)
    }

    /// The values of the credentials that clients have added, and of `Authorization`.
    package var credentialValues: [String] {
        values(in: .header(.authorization)) + credentialPlaces.flatMap(values)
    }

    /// The values that stand in one place: with and without a scheme such as `Bearer`, encoded and not. Values
    /// shorter than four characters are not masked.
    private func values(in place: CredentialPlace) -> [String] {
        let values =
            switch place {
            case .header(let name):
                headers.values(for: name).flatMap { [$0, $0.afterFirstSpace] }
            case .query(let name):
                url.queryItems.filter { $0.queryItemName == name }.flatMap { item in
                    let value = String(decoding: item.drop { $0 != UInt8(ascii: "=") }.dropFirst(), as: UTF8.self)
                    return [value, value.removingPercentEncodingOfASCII]
                }
            }
        return values.filter { $0.utf8.count >= 4 }
    }
}

/// Where a credential stands in a request.
package enum CredentialPlace: Sendable, Hashable {
    case header(HTTPHeaders.Name)
    /// The name as ``ArraySlice/queryItemName`` spells it.
    case query(String)

    package var isQuery: Bool {
        if case .query = self { true } else { false }
    }
}
