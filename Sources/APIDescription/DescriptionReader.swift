public import APIKitCore
import APIKitTesting

/// Reads a description and validates its structure.
///
/// The types of all members that are read and the targets of all references are checked once, so that the code that
/// reads the description later need not handle such errors.
struct DescriptionReader {
    private let root: JSONValue
    /// The name of the file in errors.
    private let name: String
    /// The targets of the references that were resolved so far, by the text of the reference.
    private var targets: [String: Node.Target] = [:]

    /// Reads a description.
    ///
    /// - Throws: ``ContentError`` with the place of the first mistake.
    static func document(_ data: Data, name: String) throws(ContentError) -> Node {
        do {
            // The document is not used: its errors, unlike a nil `JSONValue`, show where a text is not JSON.
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
        // The check also collects the targets of all references.
        try reader.check(root, "#", isMap: false)
        let document = Node.Document(targets: reader.targets, readsSiblings: version.hasPrefix("3.1"))
        return Node(root, "#", document)
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

    /// The names of members that are maps: the names of their own members are chosen by the author of the description,
    /// and are not keywords.
    private static let maps: Set<String> = [
        "properties", "patternProperties", "$defs", "definitions", "schemas", "responses", "parameters", "headers",
        "requestBodies", "securitySchemes", "links", "callbacks", "pathItems", "paths", "webhooks", "content",
        "examples", "encoding", "dependentSchemas", "variables", "mapping", "scopes",
    ]
    /// The names of members that may hold any value, so that nothing within them is checked.
    private static let opaque: Set = ["example", "default", "enum", "const", "value", "info", "security", "tags"]

    /// Checks a value and all values within it. `JSONValue` limits the nesting to 100 levels, and so this recursion.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - pointer: The place of the value.
    ///   - isMap: Whether the names of the value's members are not keywords.
    /// - Throws: ``ContentError`` with the place of the first mistake.
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

    /// Checks a member whose name is a keyword.
    private mutating func checkMember(_ name: String, _ value: JSONValue, _ pointer: String) throws(ContentError) {
        if let shape = Self.shape(ofMember: name), !shape.allows(value) {
            throw Self.fault(self.name, "\(pointer) is not \(shape.rawValue.withArticle)")
        }
        if name == "$ref", let reference = value.string {
            // This adds the target to `targets`.
            _ = try resolve(reference, at: pointer)
        }
        // In a schema, `examples` is a list of arbitrary values; elsewhere, it is a map of example objects.
        let isListOfExamples = name == "examples" && value.kind == "list"
        let holdsAnything = isListOfExamples || Self.opaque.contains(name) || name.hasPrefix("x-")
        guard !holdsAnything else { return }
        try check(value, pointer, isMap: Self.maps.contains(name))
    }

    // MARK: - References

    /// Follows a chain of references to its end, and records the target of each of them.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - pointer: The place of the first reference, for errors.
    ///   - others: The references that were followed so far, to detect a cycle.
    /// - Returns: The target.
    /// - Throws: ``ContentError`` if the references form a cycle or one of them does not exist.
    private mutating func resolve(
        _ reference: String, at pointer: String, through others: [String] = []
    ) throws(ContentError) -> Node.Target {
        if let target = targets[reference] { return target }
        // The length of a chain is limited as well, since each reference takes one level of recursion.
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

    /// Evaluates the JSON pointer of a reference (RFC 6901, section 6). The result may be a reference itself.
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
