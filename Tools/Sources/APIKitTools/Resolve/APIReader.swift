internal import Foundation

/// Reads an API from a description in OpenAPI 3.0 or 3.1.
struct APIReader {
    private let documents: Documents
    private let schemas: SchemaReader

    /// Reads a description. An operation that cannot be read is skipped with a note.
    ///
    /// - Throws: ``DescriptionError`` if the description as a whole cannot be read.
    static func read(_ documents: Documents) throws -> API {
        try APIReader(documents: documents, schemas: SchemaReader(documents)).api()
    }

    private func api() throws -> API {
        let root = try documents.mainRoot()
        guard try root.text("openapi")?.hasPrefix("3.") == true else {
            let isOld = root.child("swagger") != nil
            throw root.error(
                isOld ? "Swagger 2.0 is not supported: convert it to OpenAPI 3" : "this is not OpenAPI 3.0 or 3.1")
        }
        guard root.child("paths") != nil else { throw root.error("the description has no paths") }
        var api = API(title: root.child("info")?.prose("title") ?? "API", baseURL: try baseURL(in: root))
        if api.baseURL == nil {
            schemas.note(.simplified, "no absolute server URL: set it in the base", at: root.place)
        }
        api.credentials = try credentials(in: root)
        for (path, item) in try root.members("paths") where !path.hasPrefix("x-") {
            do {
                try addOperations(of: schemas.target(of: item), path: path, to: &api)
            } catch let error as DescriptionError {
                // A path item behind a broken reference has an unknown number of operations, and counts as one.
                api.skippedOperations += max(Self.methods.count { item.child($0) != nil }, 1)
                schemas.note(.skipped, "\(path): \(error.message)", at: error.place)
            }
        }
        schemas.findTags()
        api.models = schemas.models
        api.notes = schemas.notes
        readMomentsAsTexts(in: &api)
        return api
    }

    private static let methods = ["get", "head", "post", "put", "patch", "delete", "options", "trace", "query"]

    /// Turns dates into texts, with a note, if the examples of responses show them without an offset from UTC.
    private func readMomentsAsTexts(in api: inout API) {
        for response in api.endpoints.flatMap(\.responses) {
            for (schema, example) in response.examples {
                for member in api.readMomentsAsTexts(in: schema, as: example) {
                    let text = "\(member.name) is a String, since an example has no offset from UTC"
                    api.notes.append(Note(.simplified, text, at: member.schema.place))
                }
            }
        }
    }

    private func addOperations(of item: Element, path: String, to api: inout API) throws {
        for method in Self.methods {
            guard let child = item.child(method) else { continue }
            do {
                let element = try schemas.target(of: child)
                let reader = OperationReader(schemas: schemas, item: item, element: element)
                var endpoint = try reader.endpoint(method: method.uppercased(), path: path)
                let owner = element.child("servers") == nil ? item : element
                endpoint.baseURL = try baseURL(in: owner, relativeTo: api.baseURL)
                if endpoint.baseURL == api.baseURL { endpoint.baseURL = nil }
                if endpoint.baseURL != nil, let count = try owner.list("servers")?.count, count > 1 {
                    let text = "\(method.uppercased()) \(path) is sent to the first of its \(count) servers"
                    schemas.note(.simplified, text, at: owner.place)
                }
                api.endpoints.append(endpoint)
            } catch let error as DescriptionError {
                api.skippedOperations += 1
                schemas.note(.skipped, "\(method.uppercased()) \(path): \(error.message)", at: error.place)
            }
        }
    }

    /// The URL of the first server, with the default values of its variables. A relative URL is resolved against the
    /// API's main URL. Returns nil if there is no server, or no absolute URL.
    private func baseURL(in element: Element, relativeTo main: String? = nil) throws -> String? {
        guard let server = try element.list("servers")?.first, var url = try server.text("url") else { return nil }
        for (name, variable) in try server.members("variables") {
            url = url.replacing("{\(name)}", with: variable.prose("default") ?? "")
        }
        let isAbsolute = { url.hasPrefix("http://") || url.hasPrefix("https://") }
        if !isAbsolute(), let main, let resolved = URL(string: url, relativeTo: URL(string: main + "/")) {
            url = resolved.absoluteString
        }
        while url.hasSuffix("/") { url.removeLast() }
        return isAbsolute() ? url : nil
    }

    private func credentials(in root: Element) throws -> [String] {
        let sentences = try (root.child("components")?.members("securitySchemes") ?? []).map { _, scheme in
            let scheme = try schemas.target(of: scheme)
            let name = scheme.prose("name") ?? ""
            return switch (scheme.prose("type"), scheme.prose("scheme")?.lowercased()) {
            case ("http", "bearer"), ("oauth2", _), ("openIdConnect", _): "a bearer token"
            case ("http", "basic"): "a user name and a password"
            case ("apiKey", _): "the key in the \(scheme.prose("in") ?? "header") \(name)"
            default: "\(scheme.prose("scheme") ?? scheme.prose("type") ?? "unknown") credentials"
            }
        }
        var seen: Set<String> = []
        return sentences.filter { seen.insert($0).inserted }
    }
}
