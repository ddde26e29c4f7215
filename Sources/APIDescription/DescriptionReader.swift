public import APIKitCore
import APIKitTesting
import OpenAPIRules

/// Reads a description and validates its structure.
///
/// The types of all members that are read and the targets of all references are checked once, so that the code that
/// reads the description later need not handle such errors. The generator in `Tools` does not check a description as a
/// whole, since it skips the operations that have mistakes.
struct DescriptionReader {
    private let root: Element
    /// The name of the file in errors.
    private let name: String
    /// The targets of the references that were resolved so far, by the text of the reference.
    private var targets: [String: Element] = [:]

    /// Reads a description, and returns its root.
    ///
    /// - Throws: ``ContentError`` with the place of the first mistake.
    static func document(_ data: Data, name: String) throws(ContentError) -> Definition {
        let node = Node(json: try json(data, name: name))
        let version = node["openapi"]?.string ?? ""
        guard version.starts(with: /3\.[01]/) else { throw fault(name, "#/openapi is not 3.0 or 3.1") }
        let root = Element(node: node, file: "", path: "")
        var reader = DescriptionReader(root: root, name: name)
        // The check also collects the targets of all references.
        try reader.check(root, isMap: false)
        // Since OpenAPI 3.1, members beside a `$ref` have a meaning.
        let document = Definition.Document(targets: reader.targets, readsSiblings: version.hasPrefix("3.1"))
        return Definition(root, document)
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

    fileprivate static func fault(_ name: String, _ problem: String) -> ContentError {
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

        /// Whether a value has one of the types.
        func includes(_ node: Node) -> Bool {
            switch node.content {
            case .object: [.object, .objectOrList, .objectOrBoolean].contains(self)
            case .list: [.list, .objectOrList, .stringOrList].contains(self)
            case .text: [.string, .stringOrList].contains(self)
            case .number: self == .number
            case .boolean: self == .objectOrBoolean
            case .null: false
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
    /// The names of members within which nothing is checked: they may hold any value, such as `example`, or are read
    /// without a type being expected, such as `tags`.
    private static let namesOfAnyValues: Set = [
        "example", "default", "enum", "const", "value", "info", "security", "tags",
    ]

    /// Checks a value and all values within it. `JSONValue` limits the nesting to 100 levels, and so this recursion.
    ///
    /// - Parameters:
    ///   - element: The value.
    ///   - isMap: Whether the value is a map, whose members have names that the author has chosen.
    /// - Throws: ``ContentError`` with the place of the first mistake.
    private mutating func check(_ element: Element, isMap: Bool) throws(ContentError) {
        switch element.node.content {
        case .null, .boolean, .number, .text:
            break
        case .list(let nodes):
            for (index, node) in nodes.enumerated() { try check(element.inner(node, at: "\(index)"), isMap: false) }
        case .object(let members):
            for (name, node) in members {
                let member = element.inner(node, at: name)
                if isMap {
                    try check(member, isMap: false)
                } else {
                    try checkMember(name, member, of: element)
                }
            }
        }
    }

    /// Checks the type of a member whose name is a keyword, then the target of a `$ref`, and then all values within the
    /// member.
    private mutating func checkMember(_ name: String, _ member: Element, of owner: Element) throws(ContentError) {
        if let shape = Self.shape(ofMember: name), !shape.includes(member.node) {
            throw Self.fault(self.name, "\(Definition.pointer(member.path)) is not \(shape.rawValue.withArticle)")
        }
        if name == "$ref", let reference = member.node.string, targets[reference] == nil {
            let files = OneFile(root: root, name: self.name, pointer: Definition.pointer(member.path))
            targets[reference] = try files.target(of: owner)
        }
        // In a schema, `examples` is a list of arbitrary values; elsewhere, it is a map of example objects.
        let isListOfExamples = name == "examples" && member.node.elements != nil
        let isExtension = name.hasPrefix("x-")
        let mayHoldAnything = isListOfExamples || isExtension || Self.namesOfAnyValues.contains(name)
        if mayHoldAnything { return }
        try check(member, isMap: Self.namesOfMaps.contains(name))
    }
}

/// The only file of a description, in which a chain of references is followed.
private struct OneFile: DescriptionFiles {
    let root: Element
    /// The name of the file in errors.
    let name: String
    /// The place of the first reference of the chain, which errors name.
    let pointer: String

    func root(of file: String, for reference: String, in element: Element) throws(ContentError) -> Element {
        guard file.isEmpty else { throw errorOfOtherFile(reference) }
        return root
    }

    func error(_ problem: ReferenceProblem, in element: Element) -> ContentError {
        switch problem {
        case .otherServer(let text): errorOfOtherFile(text)
        case .missing(let text): DescriptionReader.fault(name, "\(pointer): \(text) does not exist")
        case .cycle(let text): DescriptionReader.fault(name, "\(pointer): \(text) refers to itself")
        case .notText: DescriptionReader.fault(name, "\(pointer) is not a string")
        }
    }

    private func errorOfOtherFile(_ reference: String) -> ContentError {
        let hint = "bundle the description into one file first"
        return DescriptionReader.fault(name, "\(pointer): \(reference) is in another file (\(hint))")
    }
}

extension ContentError.Code {
    /// A file is not a description of an API in OpenAPI 3.0 or 3.1, as JSON.
    public static let invalidDescription = Self(rawValue: "invalidDescription")
}
