/// The settings that endpoints share: the server, and the style of its lists.
struct Base: Hashable {
    /// How lists are written.
    enum Lists: Int {
        case repeated
        /// `ids=1,2`
        case commas
        /// `ids[0]=1`. OpenAPI leaves lists in the style `deepObject` undefined. Servers that expect them read an index
        /// in the place of a member's name.
        case indexed

        /// The word for this style in the name of a base, if another base has the same server.
        var word: String { self == .indexed ? "indexed" : "plain" }
    }

    let url: String
    let lists: Lists
}

extension Plan {
    /// Finds the bases of the API. The first one is the main base. Others are for operations that have their own server
    /// or send lists in another style.
    func findBases() {
        let mainURL = api.baseURL ?? "https://api.example.com"
        let servers = Dictionary(grouping: endpoints.map(\.endpoint)) { $0.baseURL }
        versions = servers.mapValues { Self.version(of: $0.map(\.path)) }
        let urls = endpoints.map { ($0.endpoint.baseURL ?? mainURL) + (versions[$0.endpoint.baseURL] ?? "") }
        let styles = endpoints.map { listStyles(of: $0) }
        let usual = UsualLists(urls: urls, styles: styles)
        let url = mainURL + (versions[nil] ?? "")
        let main = Base(url: url, lists: usual.style(at: url))
        bases = [(SwiftName.member(options.name), main)]
        var taken: Set = [bases[0].name.lowercased()]
        for index in endpoints.indices {
            let lists = ownStyle(of: styles[index]) ?? usual.style(at: urls[index])
            endpoints[index].lists = lists
            let base = Base(url: urls[index], lists: lists)
            if base != main {
                endpoints[index].base = addBase(base, for: endpoints[index].endpoint, &taken)
            }
        }
    }

    /// The style of lists that an endpoint's base must have; nil if any base will do. Lists with commas do not restrict
    /// the choice, since the endpoint itself can join the elements.
    private func ownStyle(of styles: Set<Base.Lists>) -> Base.Lists? {
        if styles.contains(.indexed) { return .indexed }
        return styles.contains(.repeated) ? .repeated : nil
    }

    /// Adds a base for an endpoint if there is none like it yet, and returns the base's name.
    private func addBase(_ base: Base, for endpoint: Endpoint, _ taken: inout Set<String>) -> String {
        if let known = bases.first(where: { $0.base == base }) { return known.name }
        let isKnownServer = bases.contains { $0.base.url == base.url }
        var words = Words(options.name).words + Self.ownWords(of: base.url, comparedWith: bases[0].base.url)
        if isKnownServer { words.append(base.lists.word) }
        let name = SwiftName.unique(Words(words: words).lowerCamel, in: &taken)
        if !isKnownServer {
            let text = "\(endpoint.method) \(endpoint.path) has the server \(base.url): see .\(name)"
            api.notes.append(Note(.separate, text, at: endpoint.place))
        }
        bases.append((name, base))
        return name
    }

    /// The path of an endpoint below its base.
    func path(of endpoint: Endpoint) -> Substring {
        let version = versions[endpoint.baseURL] ?? ""
        return endpoint.path.dropFirst(version.count).drop { $0 == "/" }
    }

    /// The version, such as `/api/v1`, that all paths of a server begin with. It becomes part of the base's URL.
    private static func version(of paths: [String]) -> String {
        let segment = /\/(api|rest|services?|public|v\d+(\.\d+)*|\d{4}-\d\d-\d\d|\d+\.\d+)(?=\/.)/
        guard let first = paths.first else { return "" }
        var version = ""
        while let next = first.dropFirst(version.count).prefixMatch(of: segment)?.0 {
            let longer = version + next
            let areAllBelow = paths.allSatisfy { $0.hasPrefix("\(longer)/") && $0.count > longer.count + 1 }
            guard areAllBelow else { break }
            version = longer
        }
        return version
    }

    /// The words that distinguish a base's URL from the main one: `uploads` for `https://uploads.example.com`.
    private static func ownWords(of url: String, comparedWith main: String) -> [String] {
        func parts(_ url: String) -> [String] { url.split { "/.:".contains($0) }.map(String.init) }
        let others = Set(parts(main) + ["api", "www"])
        guard let own = parts(url).first(where: { !others.contains($0) }) else { return [] }
        return Words(own).words
    }

    // MARK: - Lists

    /// The styles of the lists in an endpoint's query or form. If some have indexes, all plain lists get them too, with
    /// a note, since a base writes all lists in the same style.
    private func listStyles(of shape: EndpointShape) -> Set<Base.Lists> {
        var styles: Set<Base.Lists> = []
        var plain: [SentValue] = []
        for value in sentValues(of: shape) {
            switch value.style {
            case .members: if holdsLists(value.schema) { styles.insert(.indexed) }
            case .separated(","): if value.schema.isList { styles.insert(.commas) }
            case .repeated: if value.schema.isList { plain.append(value) }
            case .separated, .json: break
            }
        }
        if styles.contains(.indexed) {
            for value in plain.sorted(by: { $0.name < $1.name }) {
                let text = "the list \(value.name) is sent with indexes, like others"
                api.notes.append(Note(.simplified, text, at: value.schema.place))
            }
        }
        if !plain.isEmpty { styles.insert(.repeated) }
        return styles
    }

    /// A value in a query or a form.
    private struct SentValue {
        let name: String
        let schema: Schema
        let style: Parameter.Style
    }

    private func sentValues(of shape: EndpointShape) -> [SentValue] {
        let query = shape.endpoint.parameters.filter { $0.location == .query }
        var values = query.map { SentValue(name: $0.name, schema: $0.schema, style: $0.style) }
        if case .members(let object, let type) = shape.payload, type != .json {
            for member in object.members.values {
                let style = shape.endpoint.body?.styles[member.name] ?? .repeated
                values.append(SentValue(name: member.name, schema: member.schema, style: style))
            }
        }
        return values
    }

    private func holdsLists(_ schema: Schema) -> Bool {
        holds(schema) { kind in
            if case .list = kind { true } else { false }
        }
    }

    /// Whether a schema is of a kind, or contains one of that kind at any depth.
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

/// The most frequent style of lists on each server. Only endpoints whose lists all have the same style are counted.
private struct UsualLists {
    private var counts: [Base: Int] = [:]

    init(urls: [String], styles: [Set<Base.Lists>]) {
        for (url, styles) in zip(urls, styles) {
            guard styles.count == 1, let lists = styles.first else { continue }
            counts[Base(url: url, lists: lists), default: 0] += 1
        }
    }

    func style(at url: String) -> Base.Lists {
        func count(_ lists: Base.Lists) -> Int { counts[Base(url: url, lists: lists)] ?? 0 }
        var most = Base.Lists.repeated
        for lists in [Base.Lists.commas, .indexed] where count(lists) > count(most) { most = lists }
        return most
    }
}
