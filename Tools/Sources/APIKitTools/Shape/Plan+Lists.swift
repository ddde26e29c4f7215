/// How a list is written in a query or a form. The cases have the names of the library's `ParameterStyle.Lists`.
enum ListStyle: String {
    /// `ids=1&ids=2`
    case repeated
    /// `ids=1,2`
    case commas
    /// `ids=1%202`
    case spaces
    /// `ids=1%7C2`
    case pipes
    /// `ids[0]=1`. OpenAPI leaves lists in the style `deepObject` undefined. Servers that expect them read an index in
    /// the place of a member's name.
    case indexed

    /// The style of a list that is a value itself, and not a member of another one; nil for a JSON text.
    init?(_ style: Parameter.Style) {
        switch style {
        case .repeated: self = .repeated
        case .commas: self = .commas
        case .spaces: self = .spaces
        case .pipes: self = .pipes
        case .members: self = .indexed
        case .json: return nil
        }
    }
}

extension Plan {
    /// Sets ``listStyle`` to the style of most lists, which the bases declare for the whole API. A list in another
    /// style states it where it is sent: `.list(ids, as: .commas)`.
    ///
    /// A list that is a member of an object cannot state its style there. So ``listStylesOfTypes`` gets the style of
    /// the lists in the object's type.
    func findListStyles() {
        let values = endpoints.flatMap { sentValues(of: $0) }
        listStyle = mostFrequentStyle(of: values)
        for value in values where !value.statesItsStyle {
            if let style = ownListStyle(of: value.schema, value.style) {
                api.notes.append(
                    Note(.simplified, "the list \(value.name) is not sent as \(style.rawValue)", at: value.schema.place)
                )
            }
        }
        // OpenAPI defines no style for lists in other objects than those of `deepObject`, which come first.
        let objectsFirst = values.filter(\.holdsMembers) + values.filter { !$0.holdsMembers }
        for value in objectsFirst {
            if let style = ListStyle(value.style) { findLists(in: value.schema, of: style) }
        }
    }

    /// The style that a list has to state, since that of the bases differs; nil if it need not, or is not a list.
    func ownListStyle(of schema: Schema, _ style: Parameter.Style) -> ListStyle? {
        guard schema.isList, let listStyle = ListStyle(style), listStyle != self.listStyle else { return nil }
        return listStyle
    }

    /// The style that most lists have. If several are equally frequent, repeated names come first, as in the library.
    private func mostFrequentStyle(of values: [SentValue]) -> ListStyle {
        var counts: [ListStyle: Int] = [:]
        for value in values {
            if let style = listStyle(in: value) { counts[style, default: 0] += 1 }
        }
        var best = ListStyle.repeated
        for style in [ListStyle.commas, .indexed, .pipes, .spaces] {
            let isMoreFrequent = counts[style, default: 0] > counts[best, default: 0]
            if isMoreFrequent { best = style }
        }
        return best
    }

    /// The style of the lists in a value; nil if it has none.
    private func listStyle(in value: SentValue) -> ListStyle? {
        // The members of objects in this style may be lists.
        if value.holdsMembers { return holdsLists(value.schema) ? .indexed : nil }
        return value.schema.isList ? ListStyle(value.style) : nil
    }

    /// Records the style of the lists in objects, and in the objects in them, in ``listStylesOfTypes`` if it differs
    /// from that of the bases. A note names a list that is neither the value itself nor a member of an object: it is
    /// sent like other lists.
    private func findLists(in schema: Schema, of style: ListStyle) {
        if style == listStyle { return }
        switch schema.kind {
        case .list(let element), .dictionary(let element):
            if element.isList {
                let text: NoteText = "a list in a list or a dictionary is sent like other lists"
                api.notes.append(Note(.simplified, text, at: element.place))
            }
            findLists(in: element, of: style)
        case .model(let id):
            guard listStylesOfTypes[id] == nil, let model = api.models[id] else { return }
            listStylesOfTypes[id] = style
            for (_, schema) in model.schemas { findLists(in: schema, of: style) }
        default:
            break
        }
    }

    /// A value in a query or a form.
    private struct SentValue {
        let name: String
        let schema: Schema
        let style: Parameter.Style
        /// Whether a list in its place can state its own style: not a `Patch`, which may also be null.
        var statesItsStyle = true

        /// Whether it is written with the names of its members, as in `user[name]=a`.
        var holdsMembers: Bool {
            if case .members = style { true } else { false }
        }
    }

    /// The values in an endpoint's query, and in its body if that is a form.
    private func sentValues(of shape: EndpointShape) -> [SentValue] {
        let query = shape.endpoint.parameters.filter { $0.location == .query }
        var values = query.map { SentValue(name: $0.name, schema: $0.schema, style: $0.style) }
        // Members of a body that is not JSON are those of a form.
        if case .members(let object, let mediaType) = shape.payload, mediaType != .json {
            for member in object.members.values {
                let style = shape.endpoint.body?.styles[member.name] ?? .repeated
                values.append(
                    SentValue(
                        name: member.name, schema: member.schema, style: style,
                        statesItsStyle: !shape.needsPatch(member)))
            }
        }
        return values
    }

    /// Whether a value is a list, or contains one at any depth.
    private func holdsLists(_ schema: Schema) -> Bool {
        contains(schema) { kind in
            if case .list = kind { true } else { false }
        }
    }

    /// Whether a schema is of a kind, or contains a schema of that kind at any depth: in its elements, its members or
    /// its variants.
    func contains(_ schema: Schema, _ isKind: (Schema.Kind) -> Bool) -> Bool {
        var known: Set<ModelID> = []
        var work = [schema]
        while let next = work.popLast() {
            if isKind(next.kind) { return true }
            switch next.kind {
            case .list(let inner), .dictionary(let inner):
                work.append(inner)
            case .model(let id):
                let isNew = known.insert(id).inserted
                if isNew { work += api.models[id]?.schemas.map(\.schema) ?? [] }
            default:
                break
            }
        }
        return false
    }
}
