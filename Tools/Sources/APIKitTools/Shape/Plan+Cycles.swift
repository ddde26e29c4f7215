extension Plan {
    /// Finds types that contain themselves, other than in lists: enums among them are indirect, and structs that do so
    /// without an enum between have the member in an `Indirect`.
    func findCycles() {
        var edges: [ModelID: [(name: String, id: ModelID)]] = [:]
        for id in types.keys {
            edges[id] = api.models[id]?.schemas.compactMap { name, schema in
                guard case .model(let inner) = schema.kind, types[inner] != nil else { return nil }
                return (name, inner)
            }
        }
        for group in components(edges) {
            for id in group {
                guard case .union? = api.models[id]?.kind else { continue }
                types[id]?.isIndirect = true
                edges[id] = []
            }
        }
        for group in components(edges) {
            for id in group {
                for (name, inner) in edges[id] ?? [] where group.contains(inner) {
                    indirectMembers.insert("\(id)\u{0}\(name)")
                }
            }
        }
    }

    /// The sets of models that can all be reached from each other: Tarjan's algorithm, without recursion.
    private func components(_ edges: [ModelID: [(name: String, id: ModelID)]]) -> [Set<ModelID>] {
        var order: [ModelID: Int] = [:]
        var low: [ModelID: Int] = [:]
        var stack: [ModelID] = []
        var onStack: Set<ModelID> = []
        var result: [Set<ModelID>] = []
        for root in edges.keys.sorted() where order[root] == nil {
            var work: [(id: ModelID, next: Int)] = [(root, 0)]
            while let (id, next) = work.last {
                if next == 0 {
                    (order[id], low[id]) = (order.count, order.count)
                    stack.append(id)
                    onStack.insert(id)
                }
                let inner = edges[id] ?? []
                if next < inner.count {
                    work[work.count - 1].next += 1
                    let target = inner[next].id
                    if order[target] == nil {
                        work.append((target, 0))
                    } else if onStack.contains(target) {
                        low[id] = min(low[id] ?? 0, order[target] ?? 0)
                    }
                    continue
                }
                work.removeLast()
                if let parent = work.last?.id { low[parent] = min(low[parent] ?? 0, low[id] ?? 0) }
                guard low[id] == order[id] else { continue }
                var group: Set<ModelID> = []
                while let last = stack.popLast() {
                    onStack.remove(last)
                    group.insert(last)
                    if last == id { break }
                }
                if group.count > 1 || inner.contains(where: { $0.id == id }) { result.append(group) }
            }
        }
        return result
    }
}
