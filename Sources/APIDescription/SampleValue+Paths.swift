extension SampleValue {
    /// Joins names to one text without `_` and `-` and in small letters: `["owners", "0", "avatar_url"]` becomes
    /// `/owners/0/avatarurl`. The name `avatarUrl` gives the same path, since a decoder may convert names.
    static func path(of names: some Sequence<String>) -> String {
        var path = ""
        for name in names {
            path += "/\(name.filter { $0 != "_" && $0 != "-" }.lowercased())"
        }
        return path
    }

    /// The coding path of a decoding error, including a missing key; empty for other errors.
    static func names(of error: any Error) -> [String] {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, let context)?:
            path = context.codingPath + [key]
        case .valueNotFound(_, let context)?, .typeMismatch(_, let context)?, .dataCorrupted(let context)?:
            path = context.codingPath
        default:
            path = []
        }
        return path.map { key in
            if let index = key.intValue { return String(index) }
            return key.stringValue
        }
    }
}
