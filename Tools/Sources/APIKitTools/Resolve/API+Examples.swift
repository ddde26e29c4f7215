import OpenAPIRules

extension API {
    /// Turns members that are dates into texts if an example shows them without an offset from UTC, as
    /// `2026-11-20T18:30:00`.
    ///
    /// Such a text does not determine a moment. A `Date` would fail to decode, and with it the whole response. This
    /// method finds the objects in the example, and the overload for a model's members changes them.
    ///
    /// - Parameters:
    ///   - schema: The schema that the example conforms to.
    ///   - example: A value.
    /// - Returns: The members that have become texts.
    mutating func turnDatesIntoTexts(in schema: Schema, shownBy example: Node) -> [Object.Member] {
        switch (schema.kind, example.content) {
        case (.list(let element), .list(let examples)):
            return examples.flatMap { turnDatesIntoTexts(in: element, shownBy: $0) }
        case (.dictionary(let element), .object(let examples)):
            return examples.values.flatMap { turnDatesIntoTexts(in: element, shownBy: $0) }
        case (.model(let id), .object(let examples)):
            return turnDatesIntoTexts(in: id, examplesByMember: examples)
        default:
            return []
        }
    }

    /// Turns members of one model that are dates into texts if their examples have no offset, and does the same in the
    /// models of its other members.
    ///
    /// - Parameters:
    ///   - id: The model.
    ///   - examplesByMember: The values of its members in an example, by name.
    /// - Returns: The members that have become texts.
    private mutating func turnDatesIntoTexts(
        in id: ModelID, examplesByMember: Node.Members
    ) -> [Object.Member] {
        var changed: [Object.Member] = []
        for (name, member) in models[id]?.object?.members ?? [:] {
            guard let example = examplesByMember[name] else { continue }
            // The member may also be a list or a dictionary of dates.
            let holdsDates = member.schema.core.kind == .date
            if holdsDates, example.hasLocalTime {
                models[id]?.object?.members[name]?.schema.kind = member.schema.kind.withTextsForDates
                changed.append(member)
            } else {
                changed += turnDatesIntoTexts(in: member.schema, shownBy: example)
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

    /// Whether a text is a date, or a date and a time, without an offset: `2026-11-20` or `2026-11-20 18:30:00.5`.
    private static func isLocalTime(_ text: String) -> Bool {
        // A regular expression is compiled at each use, so cheap checks rule out most texts first.
        guard text.utf8.count >= 10, text.utf8.count < 40, text.first?.isNumber == true else {
            return false
        }
        return text.wholeMatch(of: /\d{4}-\d\d-\d\d([Tt ]\d\d:\d\d(:\d\d([.,]\d+)?)?)?/) != nil
    }
}
