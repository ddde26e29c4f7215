extension Operation {
    /// The described responses with their statuses, such as `200`, `2XX` or `default`.
    var responses: [(status: String, definition: Definition)] {
        (definition["responses"]?.members ?? []).filter { !$0.name.hasPrefix("x-") }.map { ($0.name, $0.definition) }
    }
}

extension APIDescription {
    /// The names of all members in all responses, in the form of ``SampleValue/path(of:)``: `/avatarurl` for
    /// `avatar_url`.
    ///
    /// They are found by visiting every value in the descriptions of responses, and all values that these refer to.
    var responseMemberNames: Set<String> {
        var names: Set<String> = []
        var visited: Set<String> = []
        var unvisited = operations.flatMap(\.responses).map(\.definition)
        while let definition = unvisited.popLast() {
            let isNew = visited.insert(definition.path).inserted
            guard isNew else { continue }
            for name in definition["properties"]?.names ?? [] { names.insert(SampleValue.path(of: [name])) }
            unvisited += definition.members.map(\.definition) + definition.elements
            if let reference = definition.reference { unvisited.append(reference) }
        }
        return names
    }
}
