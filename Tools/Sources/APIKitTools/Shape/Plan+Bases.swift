/// What endpoints have in common: the server, and how it expects lists.
struct Base: Hashable {
    let url: String
    /// Whether the elements of lists have indexes, as in `ids[0]=1`. OpenAPI does not define lists in the style of
    /// objects; servers that expect them read an index where an object has a name.
    let hasIndexes: Bool
}

extension Plan {
    /// Finds the bases of the API. The first one is that of most endpoints; others are for operations with a server of
    /// their own or with lists in another style.
    func findBases() {
        let styles = endpoints.map { listStyles(of: $0) }
        let hasIndexes = styles.count { $0 == [true] } > styles.count { $0 == [false] }
        let mainURL = api.baseURL ?? "https://api.example.com"
        let paths = Dictionary(grouping: endpoints.map(\.endpoint)) { $0.baseURL }
        versions = paths.mapValues { Self.version(of: $0.map(\.path)) }
        let main = Base(url: mainURL + (versions[nil] ?? ""), hasIndexes: hasIndexes)
        bases = [(SwiftName.member(options.name), main)]
        var taken: Set = [bases[0].name.lowercased()]
        for (index, styles) in zip(endpoints.indices, styles) {
            let endpoint = endpoints[index].endpoint
            let base = Base(
                url: (endpoint.baseURL ?? mainURL) + (versions[endpoint.baseURL] ?? ""),
                hasIndexes: styles.contains(true) || styles.isEmpty && hasIndexes)
            if let known = bases.firstIndex(where: { $0.base == base }) {
                endpoints[index].base = known > 0 ? bases[known].name : nil
                continue
            }
            let words = Self.ownWords(of: base, comparedWith: main)
            let name = SwiftName.unique(Words(words: Words(options.name).words + words).lowerCamel, in: &taken)
            if !bases.contains(where: { $0.base.url == base.url }) {
                let text = "\(endpoint.method) \(endpoint.path) has the server \(base.url): see .\(name)"
                api.notes.append(Note(.separate, text, at: endpoint.place))
            }
            bases.append((name, base))
            endpoints[index].base = name
        }
    }

    /// The segments at the beginning of all paths of a server that belong to its base, such as `/api/v1`.
    private static func version(of paths: [String]) -> String {
        var version = ""
        let word = /\/(api|rest|services?|public|v\d+(\.\d+)*|\d{4}-\d\d-\d\d|\d+\.\d+)(?=\/.)/
        while let next = paths.first?.dropFirst(version.count).prefixMatch(of: word)?.0,
            paths.allSatisfy({ $0.hasPrefix("\(version)\(next)/") && $0.count > version.count + next.count + 1 })
        {
            version += next
        }
        return version
    }

    /// The path of an endpoint below its base.
    func path(of endpoint: Endpoint) -> Substring {
        endpoint.path.dropFirst(versions[endpoint.baseURL]?.count ?? 0).drop { $0 == "/" }
    }

    /// What distinguishes a base from the main one: `uploads` for `https://uploads.example.com`.
    private static func ownWords(of base: Base, comparedWith main: Base) -> [String] {
        let parts = { (url: String) in url.split { "/.:".contains($0) }.map(String.init) }
        let others = Set(parts(main.url) + ["api", "www"])
        let own = parts(base.url).first { !others.contains($0) }.map { Words($0).words } ?? []
        return own + (base.hasIndexes == main.hasIndexes ? [] : [base.hasIndexes ? "indexed" : "plain"])
    }

    /// Whether an endpoint's lists have indexes, in its query or its form: each of both if it has lists in both styles.
    private func listStyles(of shape: EndpointShape) -> Set<Bool> {
        var lists = shape.endpoint.parameters.filter { $0.location == .query }.map { ($0.name, $0.schema, $0.style) }
        if case .members(let object, let type) = shape.payload, type != .json {
            lists += object.members.values.map { member in
                (member.name, member.schema, shape.endpoint.body?.styles[member.name] ?? .repeated)
            }
        }
        var plain: [(name: String, schema: Schema)] = []
        var styles: Set<Bool> = []
        for (name, schema, style) in lists {
            switch style {
            case .members: if holdsList(schema) { styles.insert(true) }
            case .repeated: if case .list = schema.kind { plain.append((name, schema)) }
            case .separated, .json: break
            }
        }
        for (name, schema) in plain.sorted(by: { $0.name < $1.name }) where styles.contains(true) {
            api.notes.append(Note(.simplified, "the list \(name) is sent with indexes, like others", at: schema.place))
        }
        return plain.isEmpty ? styles : styles.union([false])
    }

    /// Whether a schema is a list, or an object with one at any depth.
    private func holdsList(_ schema: Schema) -> Bool {
        var seen: Set<ModelID> = []
        var work = [schema]
        while let next = work.popLast() {
            switch next.kind {
            case .list: return true
            case .dictionary(let inner): work.append(inner)
            case .model(let id): if seen.insert(id).inserted { work += api.models[id]?.schemas.map(\.schema) ?? [] }
            default: break
            }
        }
        return false
    }
}
