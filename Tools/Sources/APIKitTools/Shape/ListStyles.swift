/// A stage of a plan: how lists are written in queries and forms. It is made from the contents of the endpoints.
///
/// The bases declare the style of most lists for the whole API. A list in another style states it where it is sent:
/// `.list(ids, as: .commas)`. A list that is a member of an object cannot do that, so the object's type has the style.
struct ListStyles {
    /// How the bases write lists.
    let usual: ListStyle
    /// How the lists in models are written that are sent in a query or a form, if not like those of the bases. The
    /// lists of an object in the style `deepObject` have indexes: `user[ids][0]=1`.
    let ofTypes: [ModelID: ListStyle]
    /// The notes on lists that are not sent as the description says.
    let notes: [Note]

    /// Finds the styles of the lists that endpoints send.
    init(_ contents: Contents) {
        let models = contents.api.models
        let values = contents.endpoints.flatMap(Self.sentValues)
        let usual = Self.mostFrequentStyle(of: values, models)
        self.usual = usual
        let notesOnValues = values.compactMap { Self.note(on: $0, insteadOf: usual) }
        // OpenAPI defines no style for lists in other objects than those of `deepObject`, which come first.
        let objectsFirst = values.filter(\.holdsMembers) + values.filter { !$0.holdsMembers }
        var search = Search(models: models)
        for value in objectsFirst {
            guard let style = ListStyle(value.style), style != usual else { continue }
            search.findLists(in: value.schema, of: style)
        }
        ofTypes = search.stylesOfTypes
        notes = notesOnValues + search.notes
    }

    /// The style that a list has to state, since that of the bases differs; nil if it need not, or is not a list.
    func ownStyle(of schema: Schema, _ style: Parameter.Style) -> ListStyle? {
        Self.ownStyle(of: schema, style, insteadOf: usual)
    }

    private static func ownStyle(
        of schema: Schema, _ style: Parameter.Style, insteadOf usual: ListStyle
    ) -> ListStyle? {
        guard schema.isList, let listStyle = ListStyle(style), listStyle != usual else { return nil }
        return listStyle
    }

    /// A note on a list in a style of its own that it cannot state, so that it is sent in the style of the bases. Nil
    /// if the list can state its style, or has that of the bases.
    private static func note(on value: SentValue, insteadOf usual: ListStyle) -> Note? {
        if value.statesItsStyle { return nil }
        guard let style = ownStyle(of: value.schema, value.style, insteadOf: usual) else { return nil }
        return Note(.simplified, "the list \(value.name) is not sent as \(style.rawValue)", at: value.schema.place)
    }

    /// The style that most lists have. If several are equally frequent, repeated names come first, as in the library.
    private static func mostFrequentStyle(of values: [SentValue], _ models: Models) -> ListStyle {
        var counts: [ListStyle: Int] = [:]
        for value in values {
            if let style = listStyle(in: value, models) { counts[style, default: 0] += 1 }
        }
        var best = ListStyle.repeated
        for style in [ListStyle.commas, .indexed, .pipes, .spaces] {
            let isMoreFrequent = counts[style, default: 0] > counts[best, default: 0]
            if isMoreFrequent { best = style }
        }
        return best
    }

    /// The style of the lists in a value; nil if it has none.
    private static func listStyle(in value: SentValue, _ models: Models) -> ListStyle? {
        guard value.holdsMembers else { return value.schema.isList ? ListStyle(value.style) : nil }
        // The members of objects in this style may be lists.
        let holdsLists = models.contains(in: value.schema) { kind in
            if case .list = kind { true } else { false }
        }
        return holdsLists ? .indexed : nil
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
    private static func sentValues(of form: EndpointForm) -> [SentValue] {
        let query = form.endpoint.parameters.filter { $0.location == .query }
        let queryValues = query.map { SentValue(name: $0.name, schema: $0.schema, style: $0.style) }
        // Members of a body that is not JSON are those of a form.
        guard case .members(let object, let mediaType) = form.payload, mediaType != .json else { return queryValues }
        let formValues = object.members.values.map { member in
            let style = form.endpoint.body?.styles[member.name] ?? .repeated
            return SentValue(
                name: member.name, schema: member.schema, style: style, statesItsStyle: !form.needsPatch(member))
        }
        return queryValues + formValues
    }

    /// A search for the objects that hold lists in a style that differs from that of the bases.
    private struct Search {
        let models: Models
        private(set) var stylesOfTypes: [ModelID: ListStyle] = [:]
        private(set) var notes: [Note] = []

        init(models: Models) { self.models = models }

        /// Records the style of the lists in objects, and in the objects in them. An object that already has a style
        /// keeps it, which also ends the recursion. A note names a list that is neither the value itself nor a member
        /// of an object: it is sent like other lists.
        mutating func findLists(in schema: Schema, of style: ListStyle) {
            switch schema.kind {
            case .list(let element), .dictionary(let element):
                if element.isList {
                    let text: NoteText = "a list in a list or a dictionary is sent like other lists"
                    notes.append(Note(.simplified, text, at: element.place))
                }
                findLists(in: element, of: style)
            case .model(let id):
                guard stylesOfTypes[id] == nil, let model = models[id] else { return }
                stylesOfTypes[id] = style
                for (_, inner) in model.schemas { findLists(in: inner, of: style) }
            default:
                break
            }
        }
    }
}
