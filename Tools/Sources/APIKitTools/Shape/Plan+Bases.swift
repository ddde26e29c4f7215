/// What endpoints share: the server, and the style in which lists are sent to it.
struct Base: Hashable {
    /// How lists are written.
    enum Lists: Int {
        /// `ids=1&ids=2`
        case repeated
        /// `ids=1,2`
        case commas
        /// `ids[0]=1`. OpenAPI leaves lists in the style `deepObject` undefined. Servers that expect them read an index
        /// in the place of a member's name.
        case indexed

        /// The word for this style in the name of a base, if another base has the same server.
        var word: String { self == .indexed ? "indexed" : "plain" }
    }

    /// The URL of the server, with the version that all paths begin with: `https://api.example.com/v1`.
    let url: String
    let lists: Lists
}

extension Plan {
    /// Finds the bases of the API, and assigns one to each endpoint.
    ///
    /// The first one is the main base: the API's own server, with the style that most lists have. Endpoints get another
    /// base if they have a server of their own, or send lists in another style.
    func findBases() {
        findVersions()
        let urls = endpoints.map { urlWithVersion(ofServer: $0.endpoint.baseURL) }
        let styles = endpoints.map { listStyles(of: $0) }
        let usualLists = UsualLists(urls: urls, styles: styles)
        let mainURL = urlWithVersion(ofServer: nil)
        bases = [(SwiftName.member(options.name), Base(url: mainURL, lists: usualLists.style(at: mainURL)))]
        for index in endpoints.indices {
            // An endpoint whose lists fit any base gets the usual style of its server.
            let lists = requiredStyle(of: styles[index]) ?? usualLists.style(at: urls[index])
            assignBase(Base(url: urls[index], lists: lists), toEndpoint: index)
            noteMixedLists(of: endpoints[index])
        }
    }

    /// Sets ``versions``: `/v1` for a server whose paths are `/v1/users` and `/v1/teams`.
    private func findVersions() {
        let endpointsByServer = Dictionary(grouping: endpoints.map(\.endpoint)) { $0.baseURL }
        versions = endpointsByServer.mapValues { Self.commonVersion(of: $0.map(\.path)) }
    }

    /// The version that all paths of a server begin with; empty if there is none. Nil stands for the main server.
    private func version(ofServer url: String?) -> String { versions[url] ?? "" }

    /// The URL of a server with the version that all of its paths begin with: `https://api.example.com/v1`. Nil stands
    /// for the main server.
    private func urlWithVersion(ofServer url: String?) -> String {
        let serverURL = url ?? api.baseURL ?? "https://api.example.com"
        return serverURL + version(ofServer: url)
    }

    /// Lets an endpoint use a base, which is added to the bases if it is new.
    private func assignBase(_ base: Base, toEndpoint index: Int) {
        endpoints[index].lists = base.lists
        let isMain = base == bases[0].base
        if isMain { return }
        if let equal = bases.first(where: { $0.base == base }) {
            endpoints[index].base = equal.name
        } else {
            endpoints[index].base = addBase(base, for: endpoints[index].endpoint)
        }
    }

    /// The style of lists that an endpoint's base must have, since the endpoint has lists in these styles; nil if any
    /// base will do.
    ///
    /// Lists with commas do not restrict the choice, since the endpoint itself can join the elements.
    private func requiredStyle(of styles: Set<Base.Lists>) -> Base.Lists? {
        if styles.contains(.indexed) { return .indexed }
        if styles.contains(.repeated) { return .repeated }
        return nil
    }

    /// Adds a new base and returns its name. If it is the first one for its server, a note names the endpoint that
    /// needs it.
    ///
    /// A base is named after the API and what its URL adds to that of the main base: `gitHubUploads` for
    /// `https://uploads.github.com`. A second base for a server also has the style of its lists: `gitHubIndexed`.
    private func addBase(_ base: Base, for endpoint: Endpoint) -> String {
        let onlyListsDiffer = bases.contains { $0.base.url == base.url }
        var words = Words(options.name).words + Self.ownWords(of: base.url, comparedWith: bases[0].base.url)
        if onlyListsDiffer { words.append(base.lists.word) }
        var taken = Set(bases.map { $0.name.lowercased() })
        let name = SwiftName.unique(Words(words: words).lowerCamel, in: &taken)
        if !onlyListsDiffer {
            let text = "\(endpoint.method) \(endpoint.path) has the server \(base.url): see .\(name)"
            api.notes.append(Note(.separate, text, at: endpoint.place))
        }
        bases.append((name, base))
        return name
    }

    /// The path of an endpoint below its base: `users/{id}` for `/v1/users/{id}` if the base's URL ends in `/v1`.
    func path(of endpoint: Endpoint) -> Substring {
        let version = version(ofServer: endpoint.baseURL)
        return endpoint.path.dropFirst(version.count).drop { $0 == "/" }
    }

    /// The version that all paths of a server begin with: `/api/v1` for `/api/v1/users` and `/api/v1/teams`; empty if
    /// there is none. It becomes part of the base's URL.
    private static func commonVersion(of paths: [String]) -> String {
        // Such as `/api`, `/v1.2`, `/2024-01-01` or `/2.0`, with something after it.
        let versionSegment = /\/(api|rest|services?|public|v\d+(\.\d+)*|\d{4}-\d\d-\d\d|\d+\.\d+)(?=\/.)/
        guard let first = paths.first else { return "" }
        var version = ""
        while let segment = first.dropFirst(version.count).prefixMatch(of: versionSegment)?.0 {
            let start = "\(version)\(segment)/"
            // Each path needs something after the version.
            let areAllBelow = paths.allSatisfy { $0.hasPrefix(start) && $0 != start }
            guard areAllBelow else { break }
            version += segment
        }
        return version
    }

    /// The words that distinguish a base's URL from the main one: `uploads` for `https://uploads.example.com`.
    static func ownWords(of url: String, comparedWith main: String) -> [String] {
        func parts(_ url: String) -> [String] { url.split { "/.:".contains($0) }.map(String.init) }
        let others = Set(parts(main) + ["api", "www"])
        guard let own = parts(url).first(where: { !others.contains($0) }) else { return [] }
        return Words(own).words
    }

    // MARK: - Lists

    /// The styles of the lists in an endpoint's query or form.
    private func listStyles(of shape: EndpointShape) -> Set<Base.Lists> {
        Set(sentValues(of: shape).compactMap(listStyle))
    }

    /// The style of the lists in a value; nil if it has no lists, or if the endpoint itself joins them to a text.
    ///
    /// The base writes all other lists. It is what endpoints share: a server, and a single style for lists.
    private func listStyle(of value: SentValue) -> Base.Lists? {
        switch value.style {
        // Values of this style are objects, whose members may be lists.
        case .members: holdsLists(value.schema) ? .indexed : nil
        case .separated(","): value.schema.isList ? .commas : nil
        case .repeated: value.schema.isList ? .repeated : nil
        case .separated, .json: nil
        }
    }

    /// Adds a note for each list of an endpoint that should repeat its name, as in `ids=1&ids=2`, but is sent with
    /// indexes, as in `ids[0]=1&ids[1]=2`.
    ///
    /// This happens if another list of the endpoint has indexes: an endpoint has only one base, whose setting applies
    /// to all lists.
    private func noteMixedLists(of shape: EndpointShape) {
        let values = sentValues(of: shape)
        guard values.contains(where: { listStyle(of: $0) == .indexed }) else { return }
        for value in values where listStyle(of: value) == .repeated {
            let text = "the list \(value.name) is sent with indexes, like others"
            api.notes.append(Note(.simplified, text, at: value.schema.place))
        }
    }

    /// A value in a query or a form.
    private struct SentValue {
        let name: String
        let schema: Schema
        let style: Parameter.Style
    }

    /// The values in an endpoint's query, and in its body if that is a form.
    private func sentValues(of shape: EndpointShape) -> [SentValue] {
        let query = shape.endpoint.parameters.filter { $0.location == .query }
        var values = query.map { SentValue(name: $0.name, schema: $0.schema, style: $0.style) }
        // Members of a body that is not JSON are those of a form.
        if case .members(let object, let mediaType) = shape.payload, mediaType != .json {
            for member in object.members.values {
                let style = shape.endpoint.body?.styles[member.name] ?? .repeated
                values.append(SentValue(name: member.name, schema: member.schema, style: style))
            }
        }
        return values
    }

    /// Whether a value is a list, or contains one at any depth.
    private func holdsLists(_ schema: Schema) -> Bool {
        contains(schema) { kind in
            if case .list = kind { true } else { false }
        }
    }

    /// Whether a schema is of a kind, or contains a schema of that kind at any depth.
    func contains(_ schema: Schema, _ isKind: (Schema.Kind) -> Bool) -> Bool {
        var seen: Set<ModelID> = []
        var work = [schema]
        while let next = work.popLast() {
            if isKind(next.kind) { return true }
            switch next.kind {
            case .list(let inner), .dictionary(let inner):
                work.append(inner)
            case .model(let id):
                if seen.insert(id).inserted { work += api.models[id]?.schemas.map(\.schema) ?? [] }
            default:
                break
            }
        }
        return false
    }
}

/// The most frequent style of lists on each server.
private struct UsualLists {
    private var counts: [Base: Int] = [:]

    /// Counts the styles of all endpoints. Endpoints that have lists in several styles are left out.
    ///
    /// - Parameters:
    ///   - urls: The URL of each endpoint's server.
    ///   - styles: The styles of each endpoint's lists, in the same order.
    init(urls: [String], styles: [Set<Base.Lists>]) {
        for (url, styles) in zip(urls, styles) {
            if styles.count == 1, let onlyStyle = styles.first {
                counts[Base(url: url, lists: onlyStyle), default: 0] += 1
            }
        }
    }

    /// The most frequent style on a server. If several are equally frequent, repeated names are preferred to commas,
    /// and commas to indexes.
    func style(at url: String) -> Base.Lists {
        var best = Base.Lists.repeated
        for lists in [Base.Lists.commas, .indexed] {
            if count(lists, at: url) > count(best, at: url) { best = lists }
        }
        return best
    }

    private func count(_ lists: Base.Lists, at url: String) -> Int { counts[Base(url: url, lists: lists)] ?? 0 }
}
