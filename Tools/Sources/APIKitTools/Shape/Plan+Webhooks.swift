/// The form that a webhook or a callback takes in Swift.
struct WebhookShape {
    let webhook: Webhook
    /// The name of the type of its payload, such as `OrderShippedEvent`.
    var name = ""

    /// The names that its type could have, the best one first: `OrderShippedEvent`, and for a callback also
    /// `CreateOrderOrderShippedEvent` with the operation's name.
    fileprivate var wantedNames: [String] {
        let short = Self.name(of: Words(webhook.name))
        guard let operation = webhook.operation else { return [short] }
        return [short, SwiftName.type(operation) + short]
    }

    /// Words that say that something is a webhook, but not what it is about.
    private static let generalWords: Set = ["webhook", "webhooks", "hook", "callback"]

    /// The name of a type for a webhook with these words in its name: `OrderShippedEvent` for `order` and `shipped`.
    /// General words at the end are removed. `Event` is not added if the last word is a similar one, such as `message`.
    private static func name(of words: Words) -> String {
        var words = words.words
        while words.count > 1, let last = words.last, generalWords.contains(last) { words.removeLast() }
        let isNamedEvent = ["event", "notification", "message"].contains(words.last)
        if !isNamedEvent { words.append("event") }
        return SwiftName.type(Words(words: words).upperCamel)
    }
}

extension Plan {
    /// Creates the shapes of all webhooks and callbacks. Callbacks of the same name and the same payload become one.
    static func webhooks(of api: API) -> [WebhookShape] {
        struct Key: Hashable {
            let name: String
            let schema: Schema
        }
        var known: Set<Key> = []
        var shapes: [WebhookShape] = []
        let sorted = api.webhooks.sorted { ($0.name, $0.place.path) < ($1.name, $1.place.path) }
        for webhook in sorted {
            let key = Key(name: webhook.name, schema: webhook.schema)
            let isNew = known.insert(key).inserted
            if isNew { shapes.append(WebhookShape(webhook: webhook)) }
        }
        return shapes
    }

    /// Follows the payloads of all webhooks, and records the uses of their models. A payload is read like a response.
    func findUsesByWebhooks() {
        for (index, shape) in webhooks.enumerated() {
            follow(shape.webhook.schema, [.decoded, .response], user: .webhook(index), hint: shape.webhook.name)
        }
    }

    /// Names the types of payloads after their webhooks, such as `OrderShippedEvent`. If a model is used for nothing
    /// but the payload of one webhook, the model's own type gets that name.
    ///
    /// - Parameter taken: The names that are not free. The new names are added.
    func nameWebhooks(_ taken: inout TakenNames) {
        let namesOfModels = TakenNames(modelNames.values)
        for index in webhooks.indices {
            let model = webhooks[index].webhook.schema.modelID
            let ownModelName = model.flatMap { modelNames[$0] }
            let wanted = webhooks[index].wantedNames
            let free = wanted.first { name in
                if taken.contains(name) { return false }
                // The name of a model is not free, except for the webhook whose payload is that model.
                return name == ownModelName || !namesOfModels.contains(name)
            }
            let name: String
            if let free, free == ownModelName {
                // The model's type keeps this name.
                name = free
            } else {
                name = taken.take(free ?? wanted.last ?? "Event")
            }
            webhooks[index].name = name
            if let model, isOnlyPayload(model, ofWebhook: index) {
                types[model]?.name = name
                taken.insert([name])
                documentPayload(model, of: webhooks[index].webhook)
            }
        }
    }

    /// Whether a model is the whole payload of a webhook and is used for nothing else, so that it is declared as the
    /// webhook's type. Otherwise that type is another name for the model, or for a list.
    func isOnlyPayload(_ model: ModelID, ofWebhook index: Int) -> Bool {
        webhooks[index].webhook.schema.modelID == model && types[model]?.owner == .webhook(index)
    }

    /// Gives the model of a payload the description of its webhook, if it has none itself.
    private func documentPayload(_ model: ModelID, of webhook: Webhook) {
        let documentation = api.models[model]?.documentation
        api.models[model]?.documentation = documentation ?? webhook.documentation ?? webhook.summary
    }
}
