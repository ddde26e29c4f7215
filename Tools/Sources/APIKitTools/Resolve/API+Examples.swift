extension API {
    /// Turns members that are dates into texts if an example shows them without an offset from UTC.
    ///
    /// Such a text does not determine a moment. A `Date` would fail to decode, and with it the whole response.
    ///
    /// - Parameters:
    ///   - schema: The schema that the example conforms to.
    ///   - example: A value.
    /// - Returns: The members that have become texts.
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
    /// The same kind with texts in place of dates, also inside of lists and dictionaries.
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
    /// Whether the value is, or contains, a date or a time without an offset from UTC.
    var hasLocalTime: Bool {
        switch content {
        case .text(let text): Self.isLocalTime(text)
        case .list(let elements): elements.contains(where: \.hasLocalTime)
        case .object(let members): members.values.contains(where: \.hasLocalTime)
        case .null, .boolean, .number: false
        }
    }

    private static func isLocalTime(_ text: String) -> Bool {
        // A regular expression is compiled at each use, so cheap checks rule out most texts first.
        guard text.utf8.count >= 10, text.utf8.count < 40, text.first?.isNumber == true else {
            return false
        }
        return text.wholeMatch(of: /\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?)?/) != nil
    }
}
