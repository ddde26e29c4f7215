/// The message of a failure: the text that `localizedDescription` shows instead of "The operation could not be
/// completed."
///
///     var errorDescription: String? { message }
///     var errorDescription: String? { detail ?? title }
///     var errorDescription: String? { error?.message }
///     var errorDescription: String? { errors?.first?.detail }
struct FailureMessage {
    /// The code of the message; nil if a member with the name `errorDescription` is the message already.
    let code: String?

    /// Finds the message of a failure with some properties. Nil if it has none.
    init?(_ plan: Plan, _ properties: [Property]) {
        if let described = properties.first(where: { $0.name == "errorDescription" }) {
            // A text that is not optional would not be the requirement of `LocalizedError`.
            guard described.type == "String?" else { return nil }
            code = nil
            return
        }
        var choices: [String] = []
        for text in Self.texts(plan, properties) {
            choices.append(text.code)
            // Later ones are only read if the ones before are nil.
            if !text.isOptional || choices.count == Self.maximumChoices { break }
        }
        if choices.isEmpty { return nil }
        code = choices.joined(separator: " ?? ")
    }

    private static let maximumChoices = 3

    /// A text of a failure.
    private struct Text {
        let code: String
        let isOptional: Bool
    }

    /// The names of members with a message for people, the best one first.
    private static let messageNames = [
        "message", "errorMessage", "detail", "errorDescription", "description", "errorSummary", "reason", "title",
    ]

    /// The texts that may be the message, the best one first: those of the failure itself, of its member `error`, and
    /// of the first of its `errors`. A text `error` may be a mere code, and comes last.
    private static func texts(_ plan: Plan, _ properties: [Property]) -> [Text] {
        var texts = ownTexts(properties)
        if let error = property("error", in: properties) {
            let path = error.isOptional ? "\(error.code)?" : error.code
            texts += innerTexts(plan, error.schema, path: path, isOptional: error.isOptional)
        }
        if let errors = property("errors", in: properties), case .list(let element) = errors.schema.kind {
            let first = "\(errors.code)\(errors.isOptional ? "?" : "").first"
            let mayHoldNil = errors.type.contains("?]")
            if element.isString {
                // The first of a list that may hold nils is a nil of a nil.
                if !mayHoldNil { texts.append(Text(code: first, isOptional: true)) }
            } else {
                texts += innerTexts(plan, element, path: "\(first)?\(mayHoldNil ? "?" : "")", isOptional: true)
            }
        }
        if let error = property("error", in: properties), isText(error) { texts.append(text(error)) }
        return texts
    }

    /// The messages among some properties, the best one first.
    private static func ownTexts(_ properties: [Property]) -> [Text] {
        messageNames.compactMap { property($0, in: properties) }.filter(isText).map(text)
    }

    /// The messages of an object inside of the failure; none if the schema is not that of an object.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - schema: The schema of the object.
    ///   - path: The code for the object, with a question mark if it is optional.
    ///   - isOptional: Whether it is optional.
    /// - Returns: The messages.
    private static func innerTexts(_ plan: Plan, _ schema: Schema, path: String, isOptional: Bool) -> [Text] {
        ownTexts(plan.properties(of: schema)).map { text in
            Text(code: "\(path).\(text.code)", isOptional: isOptional || text.isOptional)
        }
    }

    private static func text(_ property: Property) -> Text {
        Text(code: property.code, isOptional: property.isOptional)
    }

    /// Whether a property is a plain text. One with listed values is a code.
    private static func isText(_ property: Property) -> Bool {
        property.constant == nil && ["String", "String?"].contains(property.type)
    }

    /// The property of a name, however it is written: `errorMessage` for `error_message`.
    private static func property(_ name: String, in properties: [Property]) -> Property? {
        properties.first { SwiftName.member($0.wireName) == name && $0.constant == nil }
    }
}
