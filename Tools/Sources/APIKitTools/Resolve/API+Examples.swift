extension API {
    /// Reads moments as texts where an example of a value has a date or a time without an offset from UTC: which moment
    /// that is cannot be known, and a `Date` would make the whole response unreadable.
    ///
    /// - Parameters:
    ///   - schema: The values that the example is one of.
    ///   - example: A value.
    /// - Returns: The members that are texts from now on.
    mutating func readMomentsAsTexts(in schema: Schema, as example: Node) -> [Object.Member] {
        switch (schema.kind, example.content) {
        case (.list(let element), .list(let examples)):
            return examples.flatMap { readMomentsAsTexts(in: element, as: $0) }
        case (.dictionary(let element), .object(let examples)):
            return examples.values.flatMap { readMomentsAsTexts(in: element, as: $0) }
        case (.model(let id), .object(let examples)):
            return readMomentsAsTexts(in: id, as: examples)
        default:
            return []
        }
    }

    private mutating func readMomentsAsTexts(in id: ModelID, as examples: [String: Node]) -> [Object.Member] {
        var changed: [Object.Member] = []
        for (name, member) in models[id]?.object?.members ?? [:] {
            guard let example = examples[name] else { continue }
            if member.schema.core.kind == .date, example.hasLocalTime {
                models[id]?.object?.members[name]?.schema.kind = member.schema.kind.withTextsForDates
                changed.append(member)
            } else {
                changed += readMomentsAsTexts(in: member.schema, as: example)
            }
        }
        return changed
    }
}

extension Schema.Kind {
    /// The same kind with texts in place of moments.
    fileprivate var withTextsForDates: Schema.Kind {
        switch self {
        case .date: return .string
        case .list(var element):
            element.kind = element.kind.withTextsForDates
            return .list(element)
        case .dictionary(var element):
            element.kind = element.kind.withTextsForDates
            return .dictionary(element)
        default: return self
        }
    }
}

extension Node {
    /// Whether it is a date or a time without an offset from UTC, or holds one.
    var hasLocalTime: Bool {
        switch content {
        case .text(let text): Self.isLocalTime(text)
        case .list(let elements): elements.contains(where: \.hasLocalTime)
        case .object(let members): members.values.contains(where: \.hasLocalTime)
        case .null, .boolean, .number: false
        }
    }

    private static func isLocalTime(_ text: String) -> Bool {
        // Most texts are something else, and a regular expression is compiled at each use.
        guard text.utf8.count >= 10, text.utf8.count < 40, text.first?.isNumber == true else {
            return false
        }
        return text.wholeMatch(of: /\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?)?/) != nil
    }
}
