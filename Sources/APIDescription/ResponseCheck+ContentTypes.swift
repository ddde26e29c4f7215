import APIKitCore

extension ResponseCheck {
    /// Checks that the response type reads one of the described content types, or an empty body if none is described.
    mutating func checkContentTypes(acceptedTypes: [MIMEType]) {
        if let content = response["content"], !content.members.isEmpty {
            compareContentTypes(of: content, with: acceptedTypes)
            return
        }
        // No response to a HEAD request has a body. Its type reads the headers, and need not decode empty data.
        let isHEAD = operation.method == "HEAD"
        if !isHEAD, decodingError(for: Data()) != nil {
            let message = "has no body, and the response type needs one"
            problems.add(.unreadableValue, member, message, response.pointer)
        }
    }

    /// Adds a problem if the response type reads none of the described content types.
    ///
    /// All JSON types count as the same: a type that reads `application/json` also reads `application/problem+json`. A
    /// response type without accepted types reads any content, and so does one that accepts `*/*`.
    private mutating func compareContentTypes(of content: Definition, with acceptedTypes: [MIMEType]) {
        guard !acceptedTypes.isEmpty else { return }
        let describedTypes = content.members.map { MIMEType(rawValue: $0.name).essence }
        let hasJSON = describedTypes.contains(where: \.isJSON)
        for type in acceptedTypes {
            let readsJSON = hasJSON && type.essence.isJSON
            // The description may name the type itself, or a range such as `text/*` that includes it.
            let isDescribed = content.media(type.essence) != nil
            // The accepted type may be such a range, which includes a described type.
            let includesDescribed = describedTypes.contains { type.essence.matchesMediaType($0) }
            if readsJSON || isDescribed || includesDescribed { return }
        }
        let described = describedTypes.joined(separator: ", ")
        let accepted = acceptedTypes.map(\.essence).joined(separator: ", ")
        let message = "is \(described), and the response type reads \(accepted)"
        problems.add(.contentType, member, message, content.pointer)
    }

    /// The JSON contents of the response: those that the request's `Accept` header names or, if it names none of them,
    /// all.
    var jsonContents: [Definition] {
        let acceptHeader = request.headers[.accept] ?? ""
        let acceptedTypes = acceptHeader.split(separator: ",").map { MIMEType(rawValue: String($0)).essence }
        var all: [Definition] = []
        var accepted: [Definition] = []
        for (name, media) in response["content"]?.members ?? [] {
            let type = MIMEType(rawValue: name).essence
            guard type.isJSON else { continue }
            all.append(media)
            if acceptedTypes.contains(type) { accepted.append(media) }
        }
        return accepted.isEmpty ? all : accepted
    }
}
