/// Names the types of payloads after their webhooks, such as `OrderShippedEvent`. If a model is used for nothing but
/// the payload of one webhook, the model's own type gets that name.
struct WebhookNamer {
    /// The names of the payloads.
    struct Result {
        /// The name of each webhook's payload.
        let ofWebhooks: [String]
        /// The names of the models' types that are declared as payloads.
        let ofTypes: [ModelID: String]
    }

    let proper: ProperNames
    let ownership: Ownership

    /// Names the payloads of some webhooks.
    ///
    /// - Parameters:
    ///   - webhooks: The webhooks.
    ///   - taken: The names that are not free. The new names are added.
    /// - Returns: The names of the webhooks' types.
    func names(of webhooks: [Webhook], _ taken: inout TakenNames) -> Result {
        let namesOfModels = TakenNames(proper.ofModels.values)
        var ofWebhooks: [String] = []
        var ofTypes: [ModelID: String] = [:]
        for (index, webhook) in webhooks.enumerated() {
            let ownModelName = webhook.schema.modelID.flatMap { proper.ofModels[$0] }
            let wanted = Self.wantedNames(of: webhook)
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
            ofWebhooks.append(name)
            if let model = ownership.onlyPayload(of: webhook, at: index) {
                ofTypes[model] = name
                taken.insert([name])
            }
        }
        return Result(ofWebhooks: ofWebhooks, ofTypes: ofTypes)
    }

    /// The names that the type of a payload could have, the best one first: `OrderShippedEvent`, and for a callback
    /// also `CreateOrderOrderShippedEvent` with the operation's name.
    private static func wantedNames(of webhook: Webhook) -> [String] {
        let short = typeName(for: Words(webhook.name).words)
        guard let operation = webhook.operation else { return [short] }
        return [short, SwiftName.type(operation) + short]
    }

    /// Words that say that something is a webhook, but not what it is about.
    private static let generalWords: Set = ["webhook", "webhooks", "hook", "callback"]

    /// The name of a type for a webhook with these words in its name: `OrderShippedEvent` for `order` and `shipped`.
    /// General words at the end are removed. `Event` is not added if the last word is a similar one, such as `message`.
    private static func typeName(for webhookWords: [String]) -> String {
        var kept = webhookWords
        while kept.count > 1, let last = kept.last, generalWords.contains(last) { kept.removeLast() }
        let isNamedEvent = ["event", "notification", "message"].contains(kept.last)
        if !isNamedEvent { kept.append("event") }
        return SwiftName.type(Words(words: kept).upperCamel)
    }
}

extension Ownership {
    /// The model that is the whole payload of a webhook and is used for nothing else, so that it is declared as the
    /// webhook's type. Nil if that type is another name for a model, or for a list.
    func onlyPayload(of webhook: Webhook, at index: Int) -> ModelID? {
        guard let model = webhook.schema.modelID, types[model]?.owner == .webhook(index) else { return nil }
        return model
    }
}
