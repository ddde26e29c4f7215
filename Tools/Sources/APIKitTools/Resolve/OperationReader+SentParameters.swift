import OpenAPIRules

// How the values of a parameter are sent.

extension OperationReader {
    /// How a value in the path is written: `simple` by default, or with the prefix of `label` or `matrix`.
    func pathStyle(of element: Element) throws -> Parameter.PathStyle {
        let serialization = try serialization(of: element)
        var style = Parameter.PathStyle(isExploded: serialization.explodes)
        switch serialization.style {
        case .label: style.notation = .label
        case .matrix: style.notation = .matrix
        default: break
        }
        return style
    }

    /// Decides which parameters are sent for a described parameter:
    ///
    /// - the parameter itself, if the library can write its values as the description says,
    /// - a parameter for each member, if it is an object in a query and has the usual style,
    /// - otherwise, a text with the same name, which the caller provides.
    func sentParameters(for parameter: Parameter) -> [Parameter] {
        switch (parameter.location, parameter.style) {
        // The library writes an object with its name: `filter[state]=open&filter[label]=bug`.
        case (.query, .members): [parameter]
        // An object is sent without its name: `state=open&label=bug`. A list repeats its name: `ids=1&ids=2`.
        case (.query, .repeated): parametersForMembers(of: parameter)
        // The caller provides the JSON.
        case (_, .json): [asText(parameter)]
        // The library writes lists of plain values and objects of them: `1,2` and `R,100,G,200`.
        case (.path, _) where isFlat(parameter.schema): [parameter]
        // A number, a Boolean, a text or a list of them is written as it is: `ids=1,2`.
        default: [withPlainValues(parameter)]
        }
    }

    /// Splits an object in a query into a parameter for each member, without the object's name, which is the default
    /// (OpenAPI 3.1, 4.8.12.3). A note says so. Members that are only received are left out.
    ///
    /// The names in a dictionary are not known, so it stays one parameter, whose values are sent as `name[key]=value`.
    /// A parameter that is not an object stays as it is.
    private func parametersForMembers(of parameter: Parameter) -> [Parameter] {
        if case .dictionary = parameter.schema.kind {
            let text: NoteText = "query parameter \(parameter.name) is sent as \(parameter.name)[key]=value"
            schemas.note(.simplified, text, at: parameter.place)
            return [parameter]
        }
        guard let object = schemas.model(parameter.schema.kind)?.object else { return [parameter] }
        let members = object.members.values.filter { !$0.isReadOnly }.sorted { $0.name < $1.name }
        let names = members.map(\.name).joined(separator: ", ")
        schemas.note(
            .simplified, "query parameter \(parameter.name) is sent as its members \(names)", at: parameter.place)
        return members.map { member in
            Parameter(
                name: member.name, location: .query, isRequired: parameter.isRequired && member.isRequired,
                schema: member.schema, place: member.schema.place)
        }
    }

    /// Whether a value is an object or a dictionary whose members are all plain values.
    private func isFlat(_ schema: Schema) -> Bool {
        if case .dictionary(let element) = schema.kind { return schemas.isPlain(element.kind) }
        guard let object = schemas.model(schema.kind)?.object, !object.members.isEmpty else { return false }
        return object.members.values.allSatisfy { schemas.isPlain($0.schema.kind) }
    }

    /// Turns a parameter into a text that the caller provides, unless its values are numbers, Booleans, texts or lists
    /// of them. Objects get a note, since a text does not show their members.
    private func withPlainValues(_ parameter: Parameter) -> Parameter {
        let elementKind: Schema.Kind
        switch parameter.schema.kind {
        case .any, .bytes, .unixTime:
            // These kinds have no structure that a text would lose, so there is no note.
            var text = parameter
            text.schema.kind = .string
            return text
        case .list(let element): elementKind = element.kind
        case let kind: elementKind = kind
        }
        return schemas.isPlain(elementKind) ? parameter : asText(parameter)
    }

    /// The parameter as a text that the caller provides, with a note. An idempotency key needs no note: its property is
    /// a new UUID by default, so callers need not provide it.
    private func asText(_ parameter: Parameter) -> Parameter {
        var text = parameter
        text.schema.kind = .string
        if !text.isIdempotencyKey {
            let location = parameter.location.rawValue
            schemas.note(.simplified, "\(exact: location) parameter \(parameter.name) is a String", at: parameter.place)
        }
        return text
    }
}
