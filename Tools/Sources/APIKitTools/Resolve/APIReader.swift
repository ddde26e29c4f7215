import Foundation
import OpenAPIRules

/// Reads an API from a description in OpenAPI 3.0 or 3.1.
struct APIReader {
    private let documents: Documents
    private let schemas: SchemaReader
    private let behaviors: BehaviorReader
    private let root: Element

    /// Reads a description. An operation that cannot be read is skipped with a note.
    ///
    /// - Parameters:
    ///   - documents: The files of the description.
    ///   - behaviorModel: A file that says how the operations behave, in addition to the description's extensions.
    /// - Returns: The API, with notes on what its code does not have.
    /// - Throws: ``DescriptionError`` if the description or the model as a whole cannot be read.
    static func read(_ documents: Documents, behaviorModel: URL? = nil) throws -> API {
        let schemas = SchemaReader(documents)
        let root = try documents.mainRoot()
        let model = try behaviorModel.map { try BehaviorModel($0) }
        let behaviors = try BehaviorReader(schemas, root: root, model: model)
        return try APIReader(documents: documents, schemas: schemas, behaviors: behaviors, root: root).api()
    }

    /// Reads the whole description, and returns its API.
    ///
    /// The operations and the webhooks lead to the schemas that become models. After them come the steps that need all
    /// models, such as finding the tags of unions and correcting dates by examples.
    private func api() throws -> API {
        try checkVersion(of: root)
        let hasPaths = root.child("paths") != nil
        guard hasPaths || WebhookReader.hasWebhooks(root) else {
            throw root.error("the description has no paths and no webhooks")
        }
        var api = API(title: root.child("info")?.prose("title") ?? "API")
        if hasPaths { api.servers = try ServerReader(schemas: schemas).servers(of: root) }
        api.baseURL = api.servers.first?.url
        let security = SecurityReader(schemas: schemas, baseURL: api.baseURL)
        api.securitySchemes = try security.schemes(of: root)
        api.security = security.requirements(of: root)
        try addPaths(of: root, to: &api)
        api.moveCommonHeaders()
        api.webhooks = try WebhookReader(schemas: schemas).webhooks(of: root)
        schemas.flattenUnionsInCycles()
        schemas.findTags()
        schemas.setTagsOfChildren()
        noteUnusedExtensions()
        api.models = schemas.models
        api.notes = schemas.notes
        api.documents = documents
        applyExamples(to: &api)
        return api
    }

    /// Throws an error unless a description says that it is OpenAPI 3. One in Swagger 2.0 gets a message of its own.
    private func checkVersion(of root: Element) throws {
        let version = try root.text("openapi") ?? ""
        if version.hasPrefix("3.") {
            let isKnown = version.hasPrefix("3.0") || version.hasPrefix("3.1")
            if !isKnown { schemas.note(.simplified, "OpenAPI \(exact: version) is read as 3.1", at: root.place) }
            return
        }
        if root.child("swagger") != nil {
            throw root.error("Swagger 2.0 is not supported: convert it to OpenAPI 3")
        }
        throw root.error("this is not OpenAPI 3.0 or 3.1")
    }

    /// Adds a note for each extension of the description, and for each part of the behavior model, that has no effect
    /// on the code.
    private func noteUnusedExtensions() {
        behaviors.noteUnusedPartsOfModel()
        for file in documents.readFiles {
            for found in ExtensionFinder.extensions(in: file) where !behaviors.usedIDs.contains(found.id) {
                schemas.note(.unused, NoteText(found.name), at: found.place)
            }
        }
    }

    /// Turns members that are dates into texts, with a note, if an example of a response or a webhook shows such a date
    /// without an offset from UTC. A value such as `2026-11-20T18:30:00` cannot be decoded as a `Date`.
    private func applyExamples(to api: inout API) {
        var examples = api.endpoints.flatMap(\.responses).flatMap(\.examples)
        for webhook in api.webhooks { examples += webhook.examples.map { (webhook.schema, $0) } }
        for (schema, example) in examples {
            for member in api.turnDatesIntoTexts(in: schema, shownBy: example) {
                let text: NoteText = "\(member.name) is a String, since an example has no offset from UTC"
                api.notes.append(Note(.simplified, text, at: member.schema.place))
            }
        }
    }

    // MARK: - Operations

    /// Adds the operations of all paths. A path or an operation that cannot be read is skipped with a note.
    private func addPaths(of root: Element, to api: inout API) throws {
        for (path, item) in try root.members("paths") where !path.hasPrefix("x-") {
            do {
                try addOperations(of: schemas.target(of: item), path: path, to: &api)
            } catch let error as DescriptionError {
                // The path item has a broken reference: errors of its operations are caught in `addOperations`. The
                // number of operations behind the reference is unknown, and counts as one.
                let methods = PathKey.methods.filter { item.child($0) != nil }
                for method in methods.isEmpty ? [""] : methods {
                    api.skippedOperations.append(skipped(method, path, item.child(method) ?? item))
                }
                schemas.note(.skipped, "\(exact: path): \(exact: error.message)", at: error.place)
            }
        }
    }

    /// Adds the operations of a path item as endpoints. One that cannot be read is skipped with a note.
    private func addOperations(of item: Element, path: String, to api: inout API) throws {
        for name in PathKey.methods {
            guard let child = item.child(name) else { continue }
            let method = name.uppercased()
            do {
                let element = try schemas.target(of: child)
                let reader = OperationReader(schemas: schemas, item: item, element: element)
                var endpoint = try reader.endpoint(method: method, path: path)
                // An operation's own servers take precedence over those of its path.
                let owner = element.child("servers") == nil ? item : element
                endpoint.baseURL = try ownBaseURL(in: owner, relativeTo: api.baseURL)
                let security = SecurityReader(schemas: schemas, baseURL: api.baseURL)
                endpoint.security = security.requirements(of: element)
                endpoint.behavior = behaviors.behavior(of: element, name: endpoint.name)
                api.endpoints.append(endpoint)
            } catch let error as DescriptionError {
                api.skippedOperations.append(skipped(method, path, (try? schemas.target(of: child)) ?? child))
                schemas.note(.skipped, "\(exact: method) \(exact: path): \(exact: error.message)", at: error.place)
            }
        }
        // OpenAPI 3.2 has a member for methods that it does not name.
        for (method, operation) in (try? item.members("additionalOperations")) ?? [] {
            api.skippedOperations.append(skipped(method, path, operation))
            schemas.note(.skipped, "\(exact: method) \(exact: path) in additionalOperations", at: operation.place)
        }
    }

    /// What is known of an operation that cannot be read.
    private func skipped(_ method: String, _ path: String, _ operation: Element) -> Endpoint {
        var endpoint = Endpoint(
            name: operation.prose("operationId"), method: method.uppercased(), path: path, place: operation.place)
        endpoint.tags = (try? operation.texts("tags")) ?? []
        return endpoint
    }

    /// The base URL of an operation if it differs from that of the API, `main`. Nil if it is the same, if the operation
    /// has no servers of its own, or if its first server has no absolute URL. If there are several servers, a note says
    /// that the first one is used.
    ///
    /// The owner of the servers is the operation, or its path item if it has none itself.
    private func ownBaseURL(in owner: Element, relativeTo main: String?) throws -> String? {
        guard let (server, count) = try ServerReader(schemas: schemas).ownServer(of: owner) else { return nil }
        guard let url = ServerReader.url(of: server, relativeTo: main) else { return nil }
        let isMainServer = url == main
        if isMainServer { return nil }
        if count > 1 {
            schemas.note(.simplified, "a request is sent to the first of its \(count) servers", at: owner.place)
        }
        return url
    }
}
