import APIKitCore
@_spi(Tools) public import APIKitRecording
import APIKitTesting
import OpenAPIRules

extension APIDescription {
    /// The differences between the responses of a recording and the description: a status that is not described, a
    /// required member that is missing, null where the schema does not allow it.
    ///
    /// Masked values fit any schema, and requests to other servers are skipped. Of responses with the same difference,
    /// the first one counts.
    ///
    /// - Parameter recording: The recording, such as one of a browser.
    /// - Returns: A problem for each difference, with the operation as its endpoint.
    /// - Throws: ``TransportError`` with the code `fileFailed` if the file cannot be read, ``ContentError`` if it is
    ///   not a HAR.
    public func problems(with recording: HARFile) throws -> [Problem] {
        var problems: [Problem] = []
        for entry in try recording.entries() {
            // The status is 0 if no response arrived, for example since the page was closed.
            let hasResponse = entry.status > 0
            guard hasResponse, let url = URL(string: entry.url) else { continue }
            if let match = match(entry.method, url), match.hasServer {
                // `add` leaves out a difference that an earlier response of the operation has.
                problems.add(Self.problems(with: entry, of: match.operation), of: match.operation.name)
            } else if isOnServer(url) {
                problems.add([unknownOperation(entry.method, url)], of: "entry \(entry.number)")
            }
        }
        return problems
    }

    /// Whether a URL is below the URL of a server in the description, as `https://api.example/v1/users` is below
    /// `https://api.example/v1`.
    ///
    /// A server with a relative URL, or without one, does not count, since its origin is unknown.
    private func isOnServer(_ url: URL) -> Bool {
        let text = PathTemplate.normalized(url.absoluteString)
        return root.list("servers").contains { server in
            var address = server["url"]?.string ?? ""
            if address.hasSuffix("/") { address.removeLast() }
            // The value of `{path}` is the rest of the URL, with all of its slashes.
            let template = PathTemplate("\(address)/{path}")
            return template.values(in: text[...], crossesSlashes: true) != nil
        }
    }

    /// Compares a recorded response with its description: the status, the content type and, if the body is JSON, its
    /// value.
    private static func problems(with entry: HAREntry, of operation: Operation) -> [Problem] {
        let member = "response \(entry.status)"
        guard let response = operation.response(for: entry.status) else {
            return [Problem(.unknownStatus, member, "is not in the description", operation.definition.pointer)]
        }
        // Without a body or a described content, there is nothing more to compare.
        guard !entry.body.isEmpty, let content = response["content"], !content.members.isEmpty else { return [] }

        let type = entry.headers[.contentType].map { MIMEType(rawValue: $0).essence } ?? ""
        guard let media = content.media(type) else {
            let unknownType = content.unknownType(type, member)
            return [unknownType]
        }
        guard type.isJSON else { return [] }
        return media.problems(with: entry.body, media["schema"], at: .titled(member), .response)
    }
}

extension Operation {
    /// The description of the response with a status such as 204. The key `204` takes precedence over its class `2XX`,
    /// and that over `default`; nil if the description has none of them.
    fileprivate func response(for status: Int) -> Definition? {
        // Each of these precedes the ones after it.
        for wanted in [ResponseStatus.code(status), .hundred(status / 100), .default] {
            let described = responses.first { ResponseStatus($0.status) == wanted }
            if let described { return described.definition }
        }
        return nil
    }
}
