public import APIKitRecording
import APIKitCore
import APIKitTesting

extension APIDescription {
    /// What differs between the responses of a recording and the description: a status or a member that is not
    /// described, a required member that is missing, null where the schema does not allow it.
    ///
    /// Masked values fit any schema, and entries for other servers are skipped. Of several responses with the same
    /// difference, the first one counts.
    ///
    /// - Parameter recording: The recording, such as one of a browser.
    /// - Returns: The problems, each with the operation in place of an endpoint.
    /// - Throws: ``FileError`` if the file cannot be read, ``ContentError`` if it is not a HAR.
    public func problems(with recording: HARFile) throws -> [Problem] {
        var problems: [Problem] = []
        for entry in try recording.entries() where entry.status > 0 {
            guard let url = URL(string: entry.url) else { continue }
            let found = self.problems(with: entry, url)
            problems += found.filter { new in
                !problems.contains { ($0.code, $0.endpoint, $0.pointer) == (new.code, new.endpoint, new.pointer) }
            }
        }
        return problems
    }

    private func isOnServer(_ url: String) -> Bool {
        root["servers"]?.elements.contains { $0["url"]?.string.map(url.hasPrefix) ?? false } ?? false
    }

    private func problems(with entry: HAREntry, _ url: URL) -> [Problem] {
        guard let match = match(entry.method, url), match.hasServer else {
            return isOnServer(entry.url) ? [unknownOperation(entry.method, url, "entry \(entry.number)")] : []
        }
        let (operation, status) = (match.operation, String(entry.status))
        let names = [status, "\(status.prefix(1))XX", "\(status.prefix(1))xx", "default"]
        let responses = operation.responses
        guard let response = names.lazy.compactMap({ name in responses.first { $0.status == name } }).first else {
            let node = operation.node["responses"] ?? operation.node
            return self.problems(
                [.init(code: .unknownStatus, member: "response \(status)", message: "is not described", pointer: node.pointer)],
                operation.name)
        }
        let type = entry.headers[.contentType].map { MIMEType(rawValue: $0).essence } ?? ""
        guard !entry.body.isEmpty, let content = response.node["content"], !content.members.isEmpty else { return [] }
        guard let media = RequestCheck.media(type, of: content) else {
            let message = "is \(type), not \(content.members.map(\.name).joined(separator: ", "))"
            return self.problems(
                [.init(code: .contentType, member: "response \(status)", message: message, pointer: content.pointer)],
                operation.name)
        }
        guard RequestCheck.isJSON(type), let schema = media["schema"], let value = JSONValue(entry.body) else { return [] }
        return self.problems(
            SchemaCheck.findings(value, schema, "response \(status) ", .response), operation.name)
    }
}
