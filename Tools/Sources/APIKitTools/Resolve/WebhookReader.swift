import OpenAPIRules

/// Reads the webhooks of a description, and the callbacks of its operations: messages that the API sends to a server of
/// its users.
struct WebhookReader {
    let schemas: SchemaReader

    /// The members of a description that hold webhooks: that of OpenAPI 3.1, and that of documentation tools for 3.0.
    private static let keys = ["webhooks", "x-webhooks"]

    /// Whether a description has webhooks.
    static func hasWebhooks(_ root: Element) -> Bool { keys.contains(where: root.has) }

    /// Reads all webhooks and callbacks. One that cannot be read is skipped with a note. One note counts those whose
    /// bodies are not JSON.
    func webhooks(of root: Element) throws -> [Webhook] {
        var sources: [Source] = []
        for key in Self.keys {
            for (name, item) in try root.members(key) where !name.hasPrefix("x-") {
                sources.append(Source(name: name, item: item))
            }
        }
        sources += try callbacks(of: root)
        var webhooks: [Webhook] = []
        var placesWithoutJSON: [Place] = []
        for source in sources {
            do {
                let found = try self.webhooks(of: source)
                webhooks += found
                if found.isEmpty { placesWithoutJSON.append(source.item.place) }
            } catch let error as DescriptionError {
                schemas.note(.skipped, "\(source.kind) \(source.name): \(error.message)", at: error.place)
            }
        }
        if let first = placesWithoutJSON.first {
            let count = placesWithoutJSON.count
            schemas.note(.skipped, "webhooks and callbacks without JSON (\(count))", at: first)
        }
        return webhooks
    }

    /// A path item that describes a webhook or a callback.
    private struct Source {
        let name: String
        let item: Element
        /// The operation that announces a callback.
        var operation: String?

        /// The word for a note.
        var kind: String { operation == nil ? "webhook" : "callback" }
    }

    /// Finds the callbacks of all operations. A broken reference to a path was reported with its operations.
    private func callbacks(of root: Element) throws -> [Source] {
        var sources: [Source] = []
        for (path, reference) in try root.members("paths") {
            guard let item = try? schemas.target(of: reference) else { continue }
            for method in PathKey.methods {
                guard let operation = item.child(method) else { continue }
                let name = operation.prose("operationId") ?? "\(method) \(path)"
                sources += callbacks(of: operation, named: name)
            }
        }
        return sources
    }

    /// Finds the callbacks of an operation. Each has a name, and a path item for each expression of its URL.
    private func callbacks(of operation: Element, named name: String) -> [Source] {
        var sources: [Source] = []
        for (callbackName, reference) in (try? operation.members("callbacks")) ?? [] {
            let items: [(name: String, value: Element)]
            do {
                items = try schemas.target(of: reference).members()
            } catch let error as DescriptionError {
                schemas.note(.skipped, "callback \(callbackName): \(error.message)", at: error.place)
                continue
            } catch {
                continue
            }
            for (expression, item) in items where !expression.hasPrefix("x-") {
                sources.append(Source(name: callbackName, item: item, operation: name))
            }
        }
        return sources
    }

    /// Reads the messages of a path item, usually one. Messages whose body is not JSON are left out.
    private func webhooks(of source: Source) throws -> [Webhook] {
        let item = try schemas.target(of: source.item)
        var webhooks: [Webhook] = []
        for method in PathKey.methods {
            guard let operation = item.child(method), let content = try content(of: operation) else { continue }
            let payload = try schemas.schema(content.child("schema"), or: .any, at: content.place)
            webhooks.append(
                Webhook(
                    name: source.name, operation: source.operation,
                    summary: operation.prose("summary") ?? item.prose("summary"),
                    documentation: operation.prose("description") ?? item.prose("description"), schema: payload,
                    examples: OperationReader.examples(of: content), place: operation.place))
        }
        return webhooks
    }

    /// The content of an operation's body in JSON; nil if it has no such body.
    private func content(of operation: Element) throws -> Element? {
        guard let reference = operation.child("requestBody") else { return nil }
        let contents = try schemas.target(of: reference).members("content")
        let json = contents.first { $0.name == "application/json" } ?? contents.first { MediaType($0.name) == .json }
        return json?.value
    }
}
