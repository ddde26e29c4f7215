/// What endpoints have in common: the server, and how it expects lists.
struct Base: Hashable {
    /// How lists are written.
    enum Lists: Int {
        case repeated
        /// `ids=1,2`
        case commas
        /// `ids[0]=1`. OpenAPI does not define lists in the style of objects; servers that expect them read an index
        /// where an object has a name.
        case indexed

        /// What distinguishes a base of this style from another one on its server.
        var word: String { self == .indexed ? "indexed" : "plain" }
    }

    let url: String
    let lists: Lists
}

extension Plan {
    /// Finds the bases of the API. The first one is that of most endpoints; others are for operations with a server of
    /// their own or with lists in another style.
    func findBases() {
        let styles = endpoints.map { listStyles(of: $0) }
        let mainURL = api.baseURL ?? "https://api.example.com"
        let paths = Dictionary(grouping: endpoints.map(\.endpoint)) { $0.baseURL }
        versions = paths.mapValues { Self.version(of: $0.map(\.path)) }
        let urls = endpoints.map { ($0.endpoint.baseURL ?? mainURL) + (versions[$0.endpoint.baseURL] ?? "") }
        var counts: [Base: Int] = [:]
        for (url, styles) in zip(urls, styles) {
            if let lists = styles.first, styles.count == 1 { counts[Base(url: url, lists: lists), default: 0] += 1 }
        }
        func most(at url: String) -> Base.Lists {
            var most = Base.Lists.repeated
            for lists in [Base.Lists.commas, .indexed]
            where counts[Base(url: url, lists: lists), default: 0] > counts[Base(url: url, lists: most), default: 0] {
                most = lists
            }
            return most
        }
        let url = mainURL + (versions[nil] ?? "")
        let main = Base(url: url, lists: most(at: url))
        bases = [(SwiftName.member(options.name), main)]
        var taken: Set = [bases[0].name.lowercased()]
        for (index, styles) in zip(endpoints.indices, styles) {
            let endpoint = endpoints[index].endpoint
            // Commas can be written with each base.
            let own: Base.Lists? = styles.contains(.indexed) ? .indexed : styles.contains(.repeated) ? .repeated : nil
            let lists = own ?? most(at: urls[index])
            let base = Base(url: urls[index], lists: lists)
            endpoints[index].lists = lists
            if let known = bases.firstIndex(where: { $0.base == base }) {
                endpoints[index].base = known > 0 ? bases[known].name : nil
                continue
            }
            let isKnown = bases.contains { $0.base.url == base.url }
            let words = Self.ownWords(of: base.url, comparedWith: main.url) + (isKnown ? [base.lists.word] : [])
            let name = SwiftName.unique(Words(words: Words(options.name).words + words).lowerCamel, in: &taken)
            if !isKnown {
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
    private static func ownWords(of url: String, comparedWith main: String) -> [String] {
        let parts = { (url: String) in url.split { "/.:".contains($0) }.map(String.init) }
        let others = Set(parts(main) + ["api", "www"])
        return parts(url).first { !others.contains($0) }.map { Words($0).words } ?? []
    }

    /// How the lists in an endpoint's query or form are written.
    private func listStyles(of shape: EndpointShape) -> Set<Base.Lists> {
        var lists = shape.endpoint.parameters.filter { $0.location == .query }.map { ($0.name, $0.schema, $0.style) }
        if case .members(let object, let type) = shape.payload, type != .json {
            lists += object.members.values.map { member in
                (member.name, member.schema, shape.endpoint.body?.styles[member.name] ?? .repeated)
            }
        }
        let isList = { (kind: Schema.Kind) in if case .list = kind { true } else { false } }
        var plain: [(name: String, schema: Schema)] = []
        var styles: Set<Base.Lists> = []
        for (name, schema, style) in lists {
            switch style {
            case .members: if holds(schema, isList) { styles.insert(.indexed) }
            case .repeated: if schema.isList { plain.append((name, schema)) }
            case .separated(","): if schema.isList { styles.insert(.commas) }
            case .separated, .json: break
            }
        }
        for (name, schema) in plain.sorted(by: { $0.name < $1.name }) where styles.contains(.indexed) {
            api.notes.append(Note(.simplified, "the list \(name) is sent with indexes, like others", at: schema.place))
        }
        return plain.isEmpty ? styles : styles.union([.repeated])
    }

    /// Whether a schema is of a kind, or has a value of it at any depth.
    func holds(_ schema: Schema, _ isKind: (Schema.Kind) -> Bool) -> Bool {
        var seen: Set<ModelID> = []
        var work = [schema]
        while let next = work.popLast() {
            if isKind(next.kind) { return true }
            switch next.kind {
            case .list(let inner), .dictionary(let inner): work.append(inner)
            case .model(let id): if seen.insert(id).inserted { work += api.models[id]?.schemas.map(\.schema) ?? [] }
            default: break
            }
        }
        return false
    }
}
