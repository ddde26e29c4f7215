public import APIKitCore
import APIKitTesting

/// Checks the structure of a description once, so that the rest reads it without errors: the types of what is read, and
/// that all references lead somewhere.
struct DescriptionReader {
    private let root: JSONValue
    private let name: String
    private var targets: [String: Node.Document.Target] = [:]

    /// Reads a description.
    ///
    /// - Throws: ``ContentError`` with the place of the first mistake.
    static func document(_ data: Data, name: String) throws(ContentError) -> Node {
        do {
            _ = try JSONReader().document(data)
        } catch {
            throw fault(name, "\(ErrorText.of(error)) (convert a description in YAML into JSON first)")
        }
        guard let root = JSONValue(data) else {
            throw fault(name, "an object has two members of one name, or nests more than 100 levels deep")
        }
        var reader = DescriptionReader(root: root, name: name)
        let version = root["openapi"]?.string ?? ""
        guard version.starts(with: /3\.[01]/) else { throw fault(name, "#/openapi is not 3.0 or 3.1") }
        try reader.check(root, "#", isMap: false)
        let document = Node.Document(targets: reader.targets, readsSiblings: version.hasPrefix("3.1"))
        return Node(root, "#", document)
    }

    private static func fault(_ name: String, _ problem: String) -> ContentError {
        ContentError(.invalidDescription, "\(name) is not a valid description: \(problem)")
    }

    // MARK: - Structure

    /// What a member that is read may be.
    private enum Shape: String {
        case object = "object"
        case list = "list"
        case string = "string"
        case number = "number"
        case objectOrList = "object or list"
        case objectOrBoolean = "object or boolean"
        case stringOrList = "string or list"

        func allows(_ value: JSONValue) -> Bool {
            switch (self, value.kind) {
            case (.object, "object"), (.list, "list"), (.string, "string"), (.number, "number"): true
            case (.objectOrList, "object"), (.objectOrList, "list"): true
            case (.objectOrBoolean, "object"), (.objectOrBoolean, "boolean"): true
            case (.stringOrList, "string"), (.stringOrList, "list"): true
            default: false
            }
        }
    }

    /// What a member has to be, by its name; nil if nothing reads it.
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

    /// Members whose own members have names of the user's.
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "schemas", "responses", "parameters", "headers",
        "requestBodies", "securitySchemes", "links", "callbacks", "pathItems", "paths", "webhooks", "content",
        "examples", "encoding", "dependentSchemas", "variables", "mapping", "scopes",
    ]
    /// Members that hold any values.
    private static let opaque: Set = ["example", "default", "enum", "const", "value", "info", "security", "tags"]

    /// Checks a value and all in it, which nests at most 100 levels deep. In a map, names have no meaning of their own.
    private mutating func check(_ value: JSONValue, _ pointer: String, isMap: Bool) throws(ContentError) {
        switch value {
        case .list(let values):
            for (index, value) in values.enumerated() { try check(value, "\(pointer)/\(index)", isMap: false) }
        case .object(let members):
            for (name, value) in members {
                let pointer = Node.pointer(pointer, name)
                guard !isMap else {
                    try check(value, pointer, isMap: false)
                    continue
                }
                if let shape = Self.shape(ofMember: name), !shape.allows(value) {
                    throw Self.fault(self.name, "\(pointer) is not \(shape.rawValue.withArticle)")
                }
                if name == "$ref", let reference = value.string { try resolve(reference, at: pointer) }
                // The examples of a schema are values; elsewhere they have names.
                if case .list = value, name == "examples" { continue }
                if Self.opaque.contains(name) || name.hasPrefix("x-") { continue }
                try check(value, pointer, isMap: Self.maps.contains(name))
            }
        default: break
        }
    }

    /// Follows a reference to its end, and notes where that is.
    @discardableResult private mutating func resolve(
        _ reference: String, at pointer: String, through others: [String] = []
    ) throws(ContentError) -> Node.Document.Target {
        if let target = targets[reference] { return target }
        guard others.count < 100, !others.contains(reference) else {
            throw Self.fault(name, "\(pointer): \(reference) refers to itself")
        }
        guard reference == "#" || reference.hasPrefix("#/") else {
            let hint = "bundle the description into one file first"
            throw Self.fault(name, "\(pointer): \(reference) is in another file (\(hint))")
        }
        let names = reference.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { name in
            name.percentDecoded.replacing("~1", with: "/").replacing("~0", with: "~")
        }
        guard let value = names.reduce(root, { $0?[$1] }) else {
            throw Self.fault(name, "\(pointer): \(reference) does not exist")
        }
        var target: Node.Document.Target = (value, names.reduce("#", Node.pointer))
        if let next = value["$ref"]?.string { target = try resolve(next, at: pointer, through: others + [reference]) }
        targets[reference] = target
        return target
    }
}

extension ContentError.Code {
    /// A file is not a description of an API in OpenAPI 3.0 or 3.1, as JSON.
    public static let invalidDescription = Self(rawValue: "invalidDescription")
}
