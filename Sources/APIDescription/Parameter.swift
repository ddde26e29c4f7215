import OpenAPIRules

/// A parameter of an operation.
struct Parameter: Sendable {
    /// The location and the name, which identify it within the operation.
    let key: ParameterKey
    let field: Field

    /// Reads a parameter of an operation.
    ///
    /// Nil for a parameter without a name or a location, and for the headers `Accept`, `Content-Type` and
    /// `Authorization`, which OpenAPI ignores.
    init?(_ definition: Definition) {
        guard let name = definition["name"]?.string, let key = ParameterKey(of: definition.node) else { return nil }
        if key.isIgnored { return nil }
        self.key = key
        field = Field(of: definition, named: name)
    }
}
