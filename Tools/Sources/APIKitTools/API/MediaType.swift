import OpenAPIRules

/// The kinds of media types that the code treats differently.
enum MediaType {
    case json, form, multipart, events, jsonLines, text, bytes

    /// The kind of a type such as `application/vnd.github+json; charset=utf-8`.
    init(_ text: String) {
        let essence = text.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        switch essence {
        case "application/json", "text/json": self = .json
        // A description that does not name the type nearly always means JSON.
        case "*/*", "application/*": self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "multipart/form-data": self = .multipart
        case "text/event-stream": self = .events
        case "application/jsonl", "application/x-ndjson", "application/x-jsonlines", "application/jsonlines",
            "application/ndjson":
            self = .jsonLines
        case _ where essence.hasSuffix("+json"): self = .json
        case _ where essence.hasPrefix("text/"): self = .text
        default: self = .bytes
        }
    }
}

extension MediaType {
    /// Whether a media type means JSON in general, not a kind of documents in JSON such as `application/problem+json`.
    static func isGeneralJSON(_ text: String) -> Bool {
        ["application/json", "text/json", "application/*+json", "application/*", "*/*"].contains(text.lowercased())
    }

    /// Whether bytes of a media type are often a large file, which should not be held in memory.
    static func isFile(_ text: String) -> Bool {
        ["octet-stream", "zip", "tar", "video", "audio", "pdf"].contains { text.contains($0) }
    }
}

extension Endpoint {
    /// The names in braces of a path, in their order: `id` and `file` for `/users/{id}/files/{file}.json`.
    static func names(in path: String) -> [String] {
        let parts = path.split(separator: "{", omittingEmptySubsequences: false)
        // The first part is the text before the first brace.
        return parts.dropFirst().compactMap { part in
            guard let end = part.firstIndex(of: "}") else { return nil }
            return String(part[..<end])
        }
    }

    /// The items of a query, or the fields of a form that is sent like one.
    static func items(in query: String) -> [(name: String, value: String)] {
        QueryItem.items(of: query).map { ($0.name, $0.text) }
    }
}
