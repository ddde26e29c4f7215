/// A stored property of an endpoint, or a constant in its place, with the part of the request that sends its value.
struct EndpointProperty {
    /// The part of the request that sends the value.
    enum Source {
        case path, query, header, body
        /// The whole URL: the property is the link to a page that is not the first.
        case page
    }

    var property: Property
    var source: Source
    /// The style that a list in a query or a form has to state, since it is not that of the base.
    var listStyle: ListStyle?
    /// How a value in the path is written.
    var pathStyle = Parameter.PathStyle()
    /// Whether it is a JSON part of a multipart form.
    var isJSONPart = false
    /// Whether it is a value in the path that may contain slashes.
    var keepsSlashes = false
    /// Whether it is an object with a type of its own.
    var isObject = false
    /// Whether a form sends each element of a list as a part of its own.
    var repeatsParts = false
}

// MARK: - Values as code

extension EndpointProperty {
    /// The code for the property between the parentheses of an interpolation in a path:
    ///
    ///     id                                a text or an integer
    ///     day.ISO8601Format()               a date, a decimal number or a Boolean
    ///     segments: filePath                a text that may contain slashes
    ///     list: ids                         a list or an object
    ///     label: ids, exploded: true        a value of any kind, in the style `label`
    ///     matrix: ids, name: "ids"          a value of any kind, in the style `matrix`
    var pathValue: String {
        var arguments: [String] = []
        switch pathStyle.notation {
        case .simple:
            guard holdsSeveralValues else { return plainPathValue }
            arguments.append("list: \(property.code)")
            // The elements of a list are written in the same way in both cases.
            if pathStyle.isExploded, !property.schema.isList { arguments.append("exploded: true") }
        case .label:
            arguments.append("label: \(property.code)")
            if pathStyle.isExploded, holdsSeveralValues { arguments.append("exploded: true") }
        case .matrix:
            arguments.append("matrix: \(property.code)")
            if pathStyle.isExploded, holdsSeveralValues { arguments.append("exploded: true") }
            arguments.append("name: \(Lines.literal(property.wireName))")
        }
        return arguments.joined(separator: ", ")
    }

    /// The code for a single value in a path. The library's `URLPath` can interpolate most values. Booleans and dates
    /// are converted to texts first, and a decimal number is written as a list of one value.
    private var plainPathValue: String {
        if keepsSlashes { return "segments: \(property.code)" }
        if isDecimal(property.schema.kind) { return "list: \(property.code)" }
        switch property.schema.kind {
        case .boolean, .date, .fixed: return text
        default: return property.code
        }
    }

    /// Whether values are decimal numbers, or an enum of such numbers. The library writes them without a fraction if
    /// they are whole, unlike `description`: `1` for 1.0.
    private func isDecimal(_ kind: Schema.Kind) -> Bool {
        switch kind {
        case .number, .fixed(_, .number): true
        case .model: property.kindOfEnum == .number
        default: false
        }
    }

    /// Whether the value is a list, a dictionary or an object. A model in a path is either an enum of texts or an
    /// object.
    private var holdsSeveralValues: Bool {
        switch property.schema.kind {
        case .list, .dictionary: true
        case .model: isObject
        default: false
        }
    }

    /// The code for the property as a parameter, in a query or in a body: `name`, or `.list(ids, as: .commas)` for a
    /// list in another style than that of the base.
    var parameterValue: String {
        if property.constant != nil { return property.value }
        if isJSONPart { return jsonPart }
        guard let listStyle else { return property.value }
        return property.list(property.value, as: listStyle)
    }

    /// The code for the property as the value of a header: a text such as `limit?.description`, or decimal numbers,
    /// which the library converts.
    var headerValue: String {
        if let constant = property.constant { return constant }
        if case .list(let element) = property.schema.kind, isDecimal(element.kind) {
            return property.list(property.code, as: .commas)
        }
        if isDecimal(property.schema.kind) { return property.code }
        let isUUID = property.type == "UUID"
        return isUUID ? "\(property.code).uuidString" : text
    }

    /// The code for the property as a text: `limit.description`. If the property is optional, so is the text:
    /// `limit?.description`.
    private var text: String {
        if case .list(let element) = property.schema.kind { return joinedText(ofList: chainable, element) }
        guard let conversion = textConversion(of: property.schema.kind) else { return property.code }
        return "\(chainable).\(conversion.member)"
    }

    /// The conversion of the property's values, or of the elements of its list, to texts. Nil if they are texts
    /// already.
    private func textConversion(of kind: Schema.Kind) -> TextConversion? {
        // The raw values of an enum of numbers have to be converted too.
        let isEnumOfNumbers = property.kindOfEnum != nil
        if isEnumOfNumbers { return .property("rawValue.description") }
        return TextConversion(kind)
    }

    /// The property as code that a member access can follow: `limit`, or `limit?` if it is optional.
    private var chainable: String { property.isOptional ? "\(property.code)?" : property.code }

    /// The code for a list as one text, with commas between the elements:
    /// `ids.map(\.description).joined(separator: ",")`. The elements are converted to texts if necessary.
    private func joinedText(ofList list: String, _ element: Schema) -> String {
        let conversion = textConversion(of: element.kind)?.ofElements ?? ""
        return "\(list)\(conversion).joined(separator: \",\")"
    }

    /// The code for the property as a JSON part of a multipart form:
    ///
    ///     FilePart(.json(place), filename: nil)
    ///     place.map { FilePart(.json($0), filename: nil) }
    ///     places.map { FilePart(.json($0), filename: nil) }
    ///
    /// The second line is for an optional property. The third one is for a list: by default, each of its elements is a
    /// part of its own.
    private var jsonPart: String {
        if repeatsParts, case .list(let element) = property.schema.kind {
            return "\(chainable).map { \(Self.jsonPart(of: "$0", element)) }"
        }
        if property.isOptional { return "\(property.code).map { \(Self.jsonPart(of: "$0", property.schema)) }" }
        return Self.jsonPart(of: property.code, property.schema)
    }

    /// The code for a JSON part with a value: `FilePart(.json(place), filename: nil)`.
    private static func jsonPart(of value: String, _ schema: Schema) -> String {
        // Models bring their own encoder. Other values need the library's default encoder for APIs.
        let encoder = schema.holdsModels ? "" : ", encoder: .api"
        return "FilePart(.json(\(value)\(encoder)), filename: nil)"
    }
}

/// A member of a value's type that converts the value to a text, such as the property `description` of an Int.
private enum TextConversion {
    case property(String)
    case function(String)

    /// Chooses the member that converts values of some kind to texts: `description` for an Int. Nil if none is needed,
    /// as for strings, or if there is none, as for lists and dictionaries.
    init?(_ kind: Schema.Kind) {
        switch kind {
        case .boolean, .integer, .number, .unixTime, .fixed: self = .property("description")
        // A model in a path or a header is an enum of texts.
        case .model: self = .property("rawValue")
        case .date: self = .function("ISO8601Format()")
        case .string, .bytes, .constant: return nil
        case .any, .list, .dictionary: return nil
        }
    }

    /// The code after a value and a dot: `description`.
    var member: String {
        switch self {
        case .property(let code), .function(let code): code
        }
    }

    /// The code after a list that converts each of its elements: `.map(\.description)`.
    var ofElements: String {
        switch self {
        case .property(let code): ".map(\\.\(code))"
        case .function(let code): ".map { $0.\(code) }"
        }
    }
}
