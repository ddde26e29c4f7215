public import APIKitCore
import APIKitTesting

/// Checks the structure of a description once, so that the rest reads it without errors: the types of what is read, and
/// that all references lead somewhere.
struct DescriptionReader {
    private let root: JSONValue
    private let name: String
    private var targets: [String: Node.Target] = [:]

    /// Reads a description.
    ///
    /// - Throws: ``ContentError`` with the place of the first mistake.
    static func document(_ data: Data, name: String) throws(ContentError) -> Node {
        do {
            // This only says what is wrong with a text that is not JSON.
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
        // This also finds where all references lead.
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
        case .string, .literal:
            break
        case .list(let values):
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

    /// Checks a member whose name has a meaning.
    private mutating func checkMember(_ name: String, _ value: JSONValue, _ pointer: String) throws(ContentError) {
        if let shape = Self.shape(ofMember: name), !shape.allows(value) {
            throw Self.fault(self.name, "\(pointer) is not \(shape.rawValue.withArticle)")
        }
        if name == "$ref", let reference = value.string {
            _ = try resolve(reference, at: pointer)
        }
        // The examples of a schema are a list of any values; elsewhere they have names.
        let isListOfExamples = name == "examples" && value.kind == "list"
        let holdsAnything = isListOfExamples || Self.opaque.contains(name) || name.hasPrefix("x-")
        guard !holdsAnything else { return }
        try check(value, pointer, isMap: Self.maps.contains(name))
    }

    // MARK: - References

    /// Follows a reference to its end, and notes where that is.
    private mutating func resolve(
        _ reference: String, at pointer: String, through others: [String] = []
    ) throws(ContentError) -> Node.Target {
        if let target = targets[reference] { return target }
        guard others.count < 100, !others.contains(reference) else {
            throw Self.fault(name, "\(pointer): \(reference) refers to itself")
        }
        var target = try lookUp(reference, at: pointer)
        if let next = target.value["$ref"]?.string {
            target = try resolve(next, at: pointer, through: others + [reference])
        }
        targets[reference] = target
        return target
    }

    /// Looks up what a reference names (RFC 6901, section 6).
    private func lookUp(_ reference: String, at pointer: String) throws(ContentError) -> Node.Target {
        guard reference == "#" || reference.hasPrefix("#/") else {
            let hint = "bundle the description into one file first"
            throw Self.fault(name, "\(pointer): \(reference) is in another file (\(hint))")
        }
        var value = root
        var target = "#"
        for token in reference.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let member = token.percentDecoded.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value[member] else {
                throw Self.fault(name, "\(pointer): \(reference) does not exist")
            }
            value = next
            target = Node.pointer(target, member)
        }
        return Node.Target(value: value, pointer: target)
    }
}

extension ContentError.Code {
    /// A file is not a description of an API in OpenAPI 3.0 or 3.1, as JSON.
    public static let invalidDescription = Self(rawValue: "invalidDescription")
}
