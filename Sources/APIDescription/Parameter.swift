import APIKitCore
import APIKitTesting
import OpenAPIRules

/// A parameter of an operation, or a field of a form.
struct Parameter: Sendable {
    let node: Node
    let name: String
    /// The location of the parameter: `path`, `query`, `header`, `cookie` or, for a field of a form, `body`.
    let location: String
    let schema: Node?
    /// How lists and objects are written; nil for a field of a form whose encoding is not described. Any way of writing
    /// is accepted for such a field.
    let serialization: ParameterSerialization?

    /// The identity of the parameter within an operation.
    var key: ParameterKey { ParameterKey(location: location, name: name) }

    /// Reads a parameter of an operation.
    ///
    /// Nil for a parameter without a name or a location, and for the headers `Accept`, `Content-Type` and
    /// `Authorization`, which OpenAPI ignores.
    init?(_ node: Node) {
        guard let name = node["name"]?.string, let location = node["in"]?.string else { return nil }
        if ParameterKey(location: location, name: name).isIgnored { return nil }

        self.node = node
        self.name = name
        self.location = location
        schema = node["schema"]
        serialization = Self.serialization(node, location: location)
    }

    /// Creates a field of a form from the schema of its value and from its encoding, if that is described.
    init(field name: String, _ schema: Node, encoding: Node?) {
        node = schema
        self.name = name
        location = "body"
        self.schema = schema
        let isWritingDescribed = encoding?["style"] != nil || encoding?["explode"] != nil
        if let encoding, isWritingDescribed {
            // The fields of a form have the styles of query parameters.
            serialization = Self.serialization(encoding, location: "query")
        } else {
            // The field may be written in any style.
            serialization = nil
        }
    }

    /// The serialization that a parameter, or the encoding of a form's field, describes by `style` and `explode`.
    private static func serialization(_ node: Node, location: String) -> ParameterSerialization {
        let hasExplode = node["explode"] != nil
        return ParameterSerialization(
            style: node["style"]?.string, explode: hasExplode ? node.isTrue("explode") : nil, location: location)
    }
}
