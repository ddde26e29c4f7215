import OpenAPIRules

/// A named value that a request writes as text: that of a parameter, or a field of a form.
struct Field: Sendable {
    /// The parameter, or the schema of the form's field.
    let definition: Definition
    let name: String
    let schema: Definition?
    /// How lists and objects are written; nil for a field of a form whose encoding is not described. Any way of writing
    /// is accepted for such a field.
    let serialization: ParameterSerialization?

    /// Creates the field of a parameter.
    init(of parameter: Definition, named name: String) {
        definition = parameter
        self.name = name
        schema = parameter["schema"]
        serialization = ParameterSerialization(of: parameter.node)
    }

    /// Creates a field of a form from the schema of its value and from its encoding, if that is described.
    init(_ name: String, _ schema: Definition, encoding: Definition?) {
        definition = schema
        self.name = name
        self.schema = schema
        let isWritingDescribed = encoding?["style"] != nil || encoding?["explode"] != nil
        if let encoding, isWritingDescribed {
            serialization = ParameterSerialization(of: encoding.node)
        } else {
            // The field may be written in any style.
            serialization = nil
        }
    }
}
