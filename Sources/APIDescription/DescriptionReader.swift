public import APIKitCore
import APIKitTesting
import OpenAPIRules

/// Reads a description and validates its structure.
///
/// The types of all members that are read and the targets of all references are checked once, so that the code that
/// reads the description later need not handle such errors. The generator in `Tools` reads descriptions in another way:
/// it skips the operations that have mistakes.
struct DescriptionReader {
    private let root: JSONValue
    /// The name of the file in errors.
    private let name: String
    /// The targets of the references that were resolved so far, by the text of the reference.
    private var targets: [String: Node.Target] = [:]

    /// Reads a description, and returns its root.
    ///
    /// - Throws: ``ContentError`` with the place of the first mistake.
    static func document(_ data: Data, name: String) throws(ContentError) -> Node {
        let root = try json(data, name: name)
        let version = root["openapi"]?.string ?? ""
        guard version.starts(with: /3\.[01]/) else { throw fault(name, "#/openapi is not 3.0 or 3.1") }
        var reader = DescriptionReader(root: root, name: name)
        // The check also collects the targets of all references.
        try reader.check(root, "#", isMap: false)
        // Since OpenAPI 3.1, members beside a `$ref` have a meaning.
        let document = Node.Document(targets: reader.targets, readsSiblings: version.hasPrefix("3.1"))
        return Node(root, "#", document)
    }

    /// Reads the text of a description, which has to be JSON.
    private static func json(_ data: Data, name: String) throws(ContentError) -> JSONValue {
        do {
            // Only the error is used: it shows where a text is not JSON, and a nil `JSONValue` does not.
            _ = try JSONReader().document(data)
        } catch {
            throw fault(name, "\(ErrorText.of(error)) (convert a description in YAML into JSON first)")
        }
        guard let value = JSONValue(data) else {
            throw fault(name, "an object has two members of one name, or nests more than 100 levels deep")
        }
        return value
    }

    private static func fault(_ name: String, _ problem: String) -> ContentError {
        ContentError(.invalidDescription, "\(name) is not a valid description: \(problem)")
    }

    // MARK: - Structure

    /// The types that a member may have.
    private enum Shape: String {
        case object = "object"
        case list = "list"
        case string = "string"
        case number = "number"
        case objectOrList = "object or list"
        case objectOrBoolean = "object or boolean"
        case stringOrList = "string or list"

        /// The types, as ``JSONValue/kind`` names them.
        var kinds: Set<String> {
            switch self {
            case .object: ["object"]
            case .list: ["list"]
            case .string: ["string"]
            case .number: ["number"]
            case .objectOrList: ["object", "list"]
            case .objectOrBoolean: ["object", "boolean"]
            case .stringOrList: ["string", "list"]
            }
        }
    }

    /// The types that a member with the given name may have; nil if no code reads such a member.
    private static func shape(ofMember name: String) -> Shape? {
        switch name {
        case "paths", "components", "get", "put", "post", "delete", "options", "head", "patch", "trace", "requestBody",
            "responses", "headers", "content", "encoding", "properties", "patternProperties":
            .object
        case "parameters", "examples": .objectOrList
        case "servers", "allOf", "oneOf", "anyOf", "prefixItems", "enum": .list
        case "schema", "items", "additionalProperties": .objectOrBoolean
        case "type": .stringOrList
        case "$ref", "in", "name", "style", "format": .string
        case "minimum", "maximum": .number
        default: nil
        }
    }

    /// The names of members that are maps. In a map, the author of the description chooses the names of the members: a
    /// property may be called `type`, for example, and is not the keyword `type`.
    private static let namesOfMaps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "schemas", "responses", "parameters", "headers",
        "requestBodies", "securitySchemes", "links", "callbacks", "pathItems", "paths", "webhooks", "content",
        "examples", "encoding", "dependentSchemas", "variables", "mapping", "scopes",
    ]
    /// The names of members that may hold any value, such as `example`. Nothing within them is checked.
    private static let namesOfAnyValues: Set = [
        "example", "default", "enum", "const", "value", "info", "security", "tags",
    ]

    /// Checks a value and all values within it. `JSONValue` limits the nesting to 100 levels, and so this recursion.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - pointer: The place of the value.
    ///   - isMap: Whether the value is a map, whose members have names that the author has chosen.
    /// - Throws: ``ContentError`` with the place of the first mistake.
    private mutating func check(_ value: JSONValue, _ pointer: String, isMap: Bool) throws(ContentError) {
        switch value {
        case .null, .bool, .number, .string:
            break
        case .array(let values):
            for (index, value) in values.enumerated() { try check(value, "\(pointer)/\(index)", isMap: false) }
        case .object(let members):
            for (name, value) in members {
                let pointer = Node.pointer(pointer, name)
                if isMap {
                    try check(value, pointer, isMap: false)
                } else {
                    try checkMember(name, value, pointer)
                }
            }
        }
    }

    /// Checks the type of a member whose name is a keyword, then the target of a `$ref`, and then all values within the
    /// member.
    private mutating func checkMember(_ name: String, _ value: JSONValue, _ pointer: String) throws(ContentError) {
        if let shape = Self.shape(ofMember: name), !shape.kinds.contains(value.kind) {
            throw Self.fault(self.name, "\(pointer) is not \(shape.rawValue.withArticle)")
        }
        if name == "$ref", let reference = value.string {
            try collectTarget(of: reference, at: pointer)
        }
        // In a schema, `examples` is a list of arbitrary values; elsewhere, it is a map of example objects.
        let isListOfExamples = name == "examples" && value.kind == "list"
        let isExtension = name.hasPrefix("x-")
        let mayHoldAnything = isListOfExamples || isExtension || Self.namesOfAnyValues.contains(name)
        if mayHoldAnything { return }
        try check(value, pointer, isMap: Self.namesOfMaps.contains(name))
    }

    // MARK: - References

    /// Adds the target of a reference to ``targets``.
    ///
    /// The value that the reference names may be a reference too. The target is the value at the end of this chain, and
    /// it is the target of all references in the chain.
    ///
    /// - Parameters:
    ///   - reference: The text of the reference.
    ///   - pointer: The place of the reference, for errors.
    /// - Throws: ``ContentError`` if the references form a cycle or one of them does not exist.
    private mutating func collectTarget(of reference: String, at pointer: String) throws(ContentError) {
        if targets[reference] != nil { return }
        var target = try lookUp(reference, at: pointer)
        var chain: Set = [reference]
        while let next = target.value["$ref"]?.string {
            let isNew = chain.insert(next).inserted
            guard isNew else { throw Self.fault(name, "\(pointer): \(next) refers to itself") }
            if let known = targets[next] {
                target = known
            } else {
                target = try lookUp(next, at: pointer)
            }
        }
        for reference in chain { targets[reference] = target }
    }

    /// The value that a reference names, which may be a reference itself. A key names a member of an object, or is the
    /// index of an element.
    private func lookUp(_ text: String, at pointer: String) throws(ContentError) -> Node.Target {
        let reference = Reference(text)
        guard reference.file.isEmpty else {
            let hint = "bundle the description into one file first"
            throw Self.fault(name, "\(pointer): \(text) is in another file (\(hint))")
        }
        var target = Node.Target(value: root, pointer: "#")
        for key in reference.keys {
            guard let next = target.value[key] else {
                throw Self.fault(name, "\(pointer): \(text) does not exist")
            }
            target = Node.Target(value: next, pointer: Node.pointer(target.pointer, key))
        }
        return target
    }
}

extension ContentError.Code {
    /// A file is not a description of an API in OpenAPI 3.0 or 3.1, as JSON.
    public static let invalidDescription = Self(rawValue: "invalidDescription")
}
