import OpenAPIRules

/// Counts parts of operations for which no code is written. There are many of them in some descriptions, so each kind has
/// one note.
struct UntranslatedParts {
    private let schemas: SchemaReader
    /// The places of the links, by the identifiers of their elements. A component that several responses use is one.
    private var links: [String: Place] = [:]
    /// The places of the response headers.
    private var headers: [String: Place] = [:]

    /// Headers of HTTP, in lower case. The library reads most of them, and all of them have their meaning without a
    /// description.
    private static let knownHeaders: Set = [
        "cache-control", "content-disposition", "content-encoding", "content-length", "content-type", "date", "etag",
        "last-modified", "link", "location", "retry-after", "transfer-encoding", "vary",
    ]

    /// Adds a note for each kind of part that a description has.
    static func note(in root: Element, _ schemas: SchemaReader) throws {
        var parts = UntranslatedParts(schemas: schemas)
        for (_, reference) in try root.members("paths") {
            guard let item = try? schemas.target(of: reference) else { continue }
            for method in PathKey.methods {
                for (_, response) in (try? item.child(method)?.members("responses")) ?? [] { parts.count(response) }
            }
        }
        parts.note("links of responses", parts.links)
        parts.note("headers of responses, which a reply has in its head", parts.headers)
    }

    private init(schemas: SchemaReader) { self.schemas = schemas }

    /// Counts the links and the headers of a response.
    private mutating func count(_ reference: Element) {
        guard let response = try? schemas.target(of: reference) else { return }
        for (_, link) in (try? response.members("links")) ?? [] { links[link.id] = link.place }
        for (name, header) in (try? response.members("headers")) ?? [] {
            let isKnown = Self.knownHeaders.contains(name.lowercased())
            if !isKnown { headers[header.id] = header.place }
        }
    }

    /// Adds a note at the first of some places, with their number.
    private func note(_ kind: String, _ places: [String: Place]) {
        guard let first = places.min(by: { $0.key < $1.key }) else { return }
        schemas.note(.skipped, "\(kind) (\(places.count))", at: first.value)
    }
}
