import OpenAPIRules

/// The places in a description that some operations and models use: their own, those of what they contain, and those
/// of what their references lead to, directly or through other references.
struct UsedPlaces {
    /// The members of a description that are about the API as a whole.
    private static let generalMembers: Set = ["info", "openapi", "security", "servers", "tags"]

    private let documents: Documents
    /// The roots of the files by their names.
    private let roots: [String: Element]
    /// The identifiers of elements that are used with everything in them.
    private var wholes: Set<String> = []
    /// The identifiers of the path items of the operations, which also have other operations.
    private var items: Set<String> = []

    /// Finds the places.
    ///
    /// - Parameters:
    ///   - documents: The files of the description.
    ///   - operations: The places of the operations, whose parameters and servers may be those of their paths.
    ///   - models: The places of the models.
    init(_ documents: Documents, operations: [Place], models: [Place]) {
        self.documents = documents
        roots = Dictionary(documents.readFiles.map { ($0.file, $0) }) { first, _ in first }
        for place in operations {
            let keys = Self.keys(of: place)
            addAll(usedBy: element(keys, in: place.file))
            guard let item = element(keys.dropLast(), in: place.file) else { continue }
            items.insert(item.id)
            addAll(usedBy: item.child("parameters"))
            addAll(usedBy: item.child("servers"))
        }
        for place in models { addAll(usedBy: element(Self.keys(of: place), in: place.file)) }
    }

    /// Whether a place is used, or is about the API as a whole. A place outside of the description's files, as in a
    /// recording, counts as used.
    func contains(_ place: Place) -> Bool {
        guard let root = roots[place.file] else { return true }
        let keys = Self.keys(of: place)
        let isInMainFile = place.file == documents.main
        if isInMainFile, Self.isGeneral(keys) { return true }
        var pointer = root.path
        var ids = [Self.id(of: pointer, in: place.file)]
        for key in keys {
            pointer = Reference.pointer(pointer, key)
            ids.append(Self.id(of: pointer, in: place.file))
        }
        let isItem = ids.last.map(items.contains) == true
        return isItem || !wholes.isDisjoint(with: ids)
    }

    /// Whether the keys of a place in the first file lead to something that is about the API as a whole: the root and
    /// its extensions, the servers, and the security schemes.
    private static func isGeneral(_ keys: [String]) -> Bool {
        guard let first = keys.first else { return true }
        let isExtension = first.hasPrefix("x-") && first != "x-webhooks"
        let isScheme = keys.starts(with: ["components", "securitySchemes"])
        return isExtension || isScheme || generalMembers.contains(first)
    }

    /// The keys that lead to a place from the root of its file.
    private static func keys(of place: Place) -> [String] {
        let parts = place.path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropFirst().map(Reference.unescaped)
    }

    /// The identifier of the element at a pointer, as ``Element/id`` is.
    private static func id(of pointer: String, in file: String) -> String { "\(file)#\(pointer)" }

    /// The element that some keys lead to from the root of a file; nil if there is none.
    private func element(_ keys: some Sequence<String>, in file: String) -> Element? {
        var element = roots[file]
        for key in keys { element = element?.child(key) }
        return element
    }

    /// Adds an element with everything in it, and the targets of all references there and in these targets.
    private mutating func addAll(usedBy start: Element?) {
        guard let start, wholes.insert(start.id).inserted else { return }
        var remaining = [start]
        while let element = remaining.popLast() {
            remaining += Self.children(of: element)
            guard element.has("$ref"), let target = try? documents.target(of: element) else { continue }
            if wholes.insert(target.id).inserted { remaining.append(target) }
        }
    }

    /// The members of an object, or the elements of a list.
    private static func children(of element: Element) -> [Element] {
        switch element.node.content {
        case .object(let members): members.map { element.inner($0.value, at: $0.key) }
        case .list(let elements): elements.enumerated().map { element.inner($0.element, at: "\($0.offset)") }
        case .null, .boolean, .number, .text: []
        }
    }
}
