import OpenAPIRules

/// Finds the extensions of a description: members of its objects whose names begin with `x-`.
struct ExtensionFinder {
    /// An extension.
    struct Found {
        let name: String
        /// Its identifier in the description, as ``Element/id`` is.
        let id: String
        let place: Place
    }

    private let file: Element
    /// The names that lead from the root of the file to the value that is searched.
    private var keys: [String] = []
    private var found: [Found] = []

    /// The extensions of a file, in the order of its text. Those in examples and other values are not searched.
    static func extensions(in file: Element) -> [Found] {
        var finder = ExtensionFinder(file: file)
        finder.search(file.node)
        return finder.found
    }

    private init(file: Element) { self.file = file }

    /// The extensions that other readers use.
    static let readNames: Set = [
        "x-enum-descriptions", "x-enum-varnames", "x-enumDescriptions", "x-enumNames", "x-ms-discriminator-value",
        "x-ms-enum", "x-multi-segment", "x-webhooks",
    ]

    /// The members that hold values, such as examples, and no objects of OpenAPI.
    private static let valueMembers: Set = [
        "const", "default", "enum", "example", "examples", "mapping", "scopes", "security", "value",
    ]

    /// The members whose own members have names that the description chooses, such as the names of headers.
    private static let membersWithNames: Set = [
        "$defs", "callbacks", "content", "definitions", "dependentSchemas", "encoding", "headers", "links",
        "parameters", "pathItems", "patternProperties", "properties", "requestBodies", "responses", "schemas",
        "securitySchemes", "variables", "webhooks",
    ]

    /// Searches an object of OpenAPI, or the elements of a list.
    private mutating func search(_ node: Node) {
        switch node.content {
        case .object(let members):
            for (name, value) in members where !Self.valueMembers.contains(name) {
                keys.append(name)
                if name.hasPrefix("x-") {
                    add(name, value)
                } else if Self.membersWithNames.contains(name), let named = value.members {
                    searchAll(named)
                } else {
                    search(value)
                }
                keys.removeLast()
            }
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                keys.append("\(index)")
                search(element)
                keys.removeLast()
            }
        case .null, .boolean, .number, .text:
            break
        }
    }

    /// Searches the objects with names that the description chooses.
    private mutating func searchAll(_ named: Node.Members) {
        for (name, value) in named {
            keys.append(name)
            search(value)
            keys.removeLast()
        }
    }

    private mutating func add(_ name: String, _ value: Node) {
        if Self.readNames.contains(name) { return }
        var element = file
        for key in keys { element = element.inner(value, at: key) }
        found.append(Found(name: name, id: element.id, place: element.shownPlace))
    }
}
