/// Writes the file of a webhook or a callback: the type of its payload, which a server that receives it reads with
/// `process(data:)`.
struct WebhookWriter {
    let plan: Plan
    /// The position of the webhook in the plan.
    let index: Int

    private var shape: WebhookShape { plan.webhooks[index] }

    /// The path of the file below the folder of the API.
    var path: String { "Webhooks/\(shape.name).swift" }

    /// Writes the type of the payload, and the types that only this webhook uses:
    ///
    ///     struct OrderShippedEvent: ShopModel {
    ///         let order: Order
    ///     }
    ///
    /// If other code uses the model too, the webhook's type is another name for it:
    ///
    ///     typealias OrderShippedEvent = Order
    ///
    /// There are no lines if the model of the payload is in a file of its own and already has the name of the webhook.
    func lines() -> [String] {
        let writers = plan.nested(in: .webhook(index)).compactMap { TypeWriter(plan, $0) }
        var sections: [[String]] = []
        if !plan.hasOwnType(ofWebhook: index), let name = nameOfOtherType { sections.append(typealiasLines(name)) }
        sections += writers.map { $0.lines(depth: 0) }
        return Lines.sections(sections)
    }

    /// The type that the webhook's type is another name for: `Order`, or `JSON<[String]>` for values without a model.
    /// Nil if the payload's own type has the name of the webhook.
    private var nameOfOtherType: String? {
        let schema = shape.webhook.schema
        let type = plan.typeName(schema)
        guard plan.conformsToJSONResponse(schema) else {
            return schema.isNullable ? "JSON<\(type)?>" : "JSON<\(type)>"
        }
        let hasNameOfWebhook = type == shape.name
        return hasNameOfWebhook ? nil : type
    }

    /// Writes the webhook's type as another name for a type, with a comment: `typealias OrderShippedEvent = Order`.
    private func typealiasLines(_ type: String) -> [String] {
        let text = shape.webhook.documentation ?? shape.webhook.summary
        let comment = Documentation.summary(text, names: [shape.name])
        return comment + ["\(plan.access)typealias \(shape.name) = \(type)"]
    }
}
