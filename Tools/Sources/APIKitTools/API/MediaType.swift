import OpenAPIRules

/// The kinds of media types that the code treats differently.
enum MediaType {
    case json, form, multipart, events, jsonLines, text, bytes

    /// The kind of a type such as `application/vnd.github+json; charset=utf-8`.
    init(_ text: String) {
        let essence = Self.essence(of: text)
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
    /// The preference among several media types for JSON. The one with the lowest rank is preferred: `application/json`
    /// to `application/geo+json`, for example.
    ///
    /// The last ones are the two types of patches, since their JSON is not that of the resource. A merge patch (RFC
    /// 7396), which is an object, comes before a list of changes (RFC 6902).
    static func rankOfJSON(_ text: String) -> Int {
        switch essence(of: text) {
        case "application/json": 0
        case "text/json": 1
        case "*/*", "application/*", "application/*+json": 2
        case "application/merge-patch+json": 4
        case "application/json-patch+json": 5
        default: 3
        }
    }

    /// A media type without its parameters, in lower case.
    private static func essence(of text: String) -> String {
        text.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
    }

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
