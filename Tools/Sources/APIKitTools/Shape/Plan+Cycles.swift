extension Plan {
    /// Finds types that contain themselves other than in a list, which Swift does not allow without indirection.
    ///
    /// Enums among them become `indirect`. In a cycle that has only structs, the members get the type `Indirect`.
    func findCycles() {
        var contents: [ModelID: [Content]] = [:]
        for id in types.keys { contents[id] = directContents(of: id) }
        for id in cyclic(contents) {
            guard case .union? = api.models[id]?.kind else { continue }
            types[id]?.isIndirect = true
            // An indirect enum ends each cycle that it is part of.
            contents[id] = []
        }
        let remaining = cyclic(contents)
        for id in remaining {
            for content in contents[id] ?? [] where remaining.contains(content.id) {
                indirectMembers.insert("\(id)\u{0}\(content.name)")
            }
        }
    }

    /// A type inside of another one.
    private struct Content {
        /// The name of the member or variant.
        let name: String
        let id: ModelID
    }

    private func directContents(of id: ModelID) -> [Content] {
        guard let model = api.models[id] else { return [] }
        return model.schemas.compactMap { name, schema in
            guard case .model(let inner) = schema.kind, types[inner] != nil else {
                return nil
            }
            return Content(name: name, id: inner)
        }
    }

    /// The models that contain themselves.
    private func cyclic(_ contents: [ModelID: [Content]]) -> Set<ModelID> {
        let candidates = withoutEnds(contents.mapValues { Set($0.map(\.id)) })
        return Set(candidates.keys.filter { isReachable($0, from: $0, candidates) })
    }

    /// Removes models that cannot be part of a cycle, so that few remain for the slower search.
    ///
    /// A model in a cycle contains another one and is contained in another one. Models without either are removed until
    /// all remaining ones have both.
    private func withoutEnds(_ contents: [ModelID: Set<ModelID>]) -> [ModelID: Set<ModelID>] {
        var rest = contents
        var count = 0
        while count != rest.count {
            count = rest.count
            let contained = Set(rest.values.joined())
            rest = rest.filter { !$0.value.isEmpty && contained.contains($0.key) }
            let remaining = Set(rest.keys)
            rest = rest.mapValues { $0.intersection(remaining) }
        }
        return rest
    }

    private func isReachable(_ target: ModelID, from start: ModelID, _ contents: [ModelID: Set<ModelID>]) -> Bool {
        var seen: Set<ModelID> = []
        var work = [start]
        while let next = work.popLast() {
            for id in contents[next] ?? [] where seen.insert(id).inserted {
                if id == target { return true }
                work.append(id)
            }
        }
        return false
    }
}
