import APIKitCore
@_spi(Tools) public import APIKitRecording
import APIKitTesting

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
        for entry in try recording.entries() where entry.status > 0 {
            guard let url = URL(string: entry.url) else { continue }
            if let match = match(entry.method, url), match.hasServer {
                problems.add(Self.problems(with: entry, match.operation), of: match.operation.name)
            } else if isOnServer(url) {
                problems.add([unknownOperation(entry.method, url)], of: "entry \(entry.number)")
            }
        }
        return problems
    }

    /// Whether a URL is below that of a server in the description.
    private func isOnServer(_ url: URL) -> Bool {
        let url = PathTemplate.normalized(url.absoluteString)
        return root.list("servers").contains { server in
            let address = server["url"]?.string ?? ""
            // The value stands for the rest of the URL, with all of its slashes.
            let template = PathTemplate("\(address)/{path}")
            return template.values(in: url[...], crossesSlashes: true) != nil
        }
    }

    private static func problems(with entry: HAREntry, _ operation: Operation) -> [Problem] {
        let member = "response \(entry.status)"
        guard let response = operation.response(for: entry.status) else {
            return [Problem(.unknownStatus, member, "is not in the description", operation.node.pointer)]
        }
        guard !entry.body.isEmpty, let content = response["content"], !content.members.isEmpty else { return [] }
        let type = entry.headers[.contentType].map { MIMEType(rawValue: $0).essence } ?? ""
        guard let media = content.media(type) else { return [content.unknownType(type, member)] }
        guard type.isJSON else { return [] }
        return media.problems(with: entry.body, media["schema"], at: .titled(member), .response)
    }
}

extension Operation {
    /// The description of the response with a status: that of the status itself, of its class such as `2XX`, or of
    /// `default`; nil if there is none.
    fileprivate func response(for status: Int) -> Node? {
        guard let responses = node["responses"] else { return nil }
        let statusClass = status / 100
        // Some descriptions write classes in small letters.
        for key in ["\(status)", "\(statusClass)XX", "\(statusClass)xx", "default"] {
            if let response = responses[key] { return response }
        }
        return nil
    }
}
