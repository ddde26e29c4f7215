import APIKitSupport

/// Describes an error that another library threw, in one line with secrets masked.
package enum ErrorText {
    /// Returns the description, cut to 1,000 bytes, since a server may have chosen the paths and values in it.
    package static func of(_ error: any Error) -> String {
        Masking.bounded(whole(error))
    }

    /// Returns the description in full length, for a caller that masks more secrets before it cuts the text.
    package static func whole(_ error: any Error) -> String {
        let text =
            switch error {
            case let error as DecodingError: decoding(error)
            case let error as EncodingError: encoding(error)
            case let error as RequestError: error.message
            case let error as any CustomStringConvertible & LocalizedError: error.errorDescription ?? error.description
            case let error as any LocalizedError: error.errorDescription ?? String(describing: error)
            default: String(describing: error)
            }
        return Masking.oneLine(Masking.masked(text))
    }

    /// Describes an error of a decoder by the place and the problem: `[0].login is not a String`.
    private static func decoding(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(let type, let context):
            "\(place(context.codingPath)) is not \(withArticle(type))"
        case .valueNotFound(let type, let context):
            "\(place(context.codingPath)) is null, not \(withArticle(type))"
        case .keyNotFound(let key, let context):
            "\(place(context.codingPath + [key])) is missing"
        case .dataCorrupted(let context):
            "\(place(context.codingPath)): \(detail(context.debugDescription, context.codingPath))"
        @unknown default:
            String(describing: error)
        }
    }

    /// Describes an error of an encoder by the place and the encoder's message.
    private static func encoding(_ error: EncodingError) -> String {
        guard case .invalidValue(_, let context) = error else { return String(describing: error) }
        return "\(place(context.codingPath)): \(detail(context.debugDescription, context.codingPath))"
    }

    /// Returns the name of a type with its article: `an Int`, `a String`, `a UUID`.
    private static func withArticle(_ type: any Any.Type) -> String {
        let name = "\(type)"
        // Without U, since UUID and URL begin with the sound of a consonant.
        let beginsWithVowel = name.first.map("AEIO".contains) ?? false
        return beginsWithVowel ? "an \(name)" : "a \(name)"
    }

    /// Returns a coding path as code spells it: `[0].login`.
    private static func place(_ path: [any CodingKey]) -> String {
        var text = ""
        for key in path {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                if !text.isEmpty { text += "." }
                text += key.stringValue
            }
        }
        return text.isEmpty ? "the top level" : text
    }

    /// Returns a coder's message. It may quote the value, so it is masked if the path names a secret.
    private static func detail(_ text: String, _ path: [any CodingKey]) -> String {
        path.contains { SecretNames.contains($0.stringValue) } ? Masking.mask : text
    }
}

extension DecodingError {
    /// The path of the innermost element of a list that the error is in; nil if it is in none.
    var pathOfListElement: [any CodingKey]? {
        guard let index = codingPath.lastIndex(where: { $0.intValue != nil }) else { return nil }
        return Array(codingPath[...index])
    }

    /// The path of the value with the wrong type, or of the object without the member.
    private var codingPath: [any CodingKey] {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context.codingPath
        @unknown default: []
        }
    }
}
