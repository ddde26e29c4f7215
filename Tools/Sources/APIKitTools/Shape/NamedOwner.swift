/// An endpoint or a model that types are declared in, which has its own name already.
struct NamedOwner {
    private let surroundings: NestedTypeNamer.Surroundings
    /// The endpoint; nil if the owner is a model.
    private let endpoint: EndpointShape?
    /// The name, without the suffix of endpoints.
    let name: String
    /// The thing that an endpoint is about: `Issue` for `CreateIssueRequest`. For a model, it is the model's name.
    private let noun: Words

    /// Finds the name and the noun of an owner among the names so far.
    init(_ owner: TypeOwner, _ surroundings: NestedTypeNamer.Surroundings, _ names: [ModelID: String]) {
        self.surroundings = surroundings
        switch owner {
        case .endpoint(let index):
            let shape = surroundings.endpoints[index]
            endpoint = shape
            name = shape.nameWithoutSuffix
            noun = shape.noun
        case .model(let id):
            endpoint = nil
            name = names[id] ?? ""
            noun = Words(name)
        case .none, .api, .webhook:
            // A file has no name that its types could be named after.
            endpoint = nil
            name = ""
            noun = Words("")
        }
    }

    var isEndpoint: Bool { endpoint != nil }

    /// Whether a type is the endpoint's whole response and has no name in the description. It is then called
    /// `Response`.
    func isWholeResponse(_ id: ModelID) -> Bool {
        guard let endpoint, surroundings.uses.models[id]?.name == nil else { return false }
        // The object around what the endpoint returns, if it is an envelope of its own.
        if case .one(.envelope(_, of: let envelope?)) = endpoint.reply, envelope == id { return true }
        return endpoint.responseModel == id
    }

    /// The names that a type inside the owner could have, the best one first. For the values of a member `user` in
    /// `CreateIssueRequest`, whose noun is `Issue`, they are:
    ///
    /// 1. `User`, the proper name without that of the owner,
    /// 2. `IssueUser`, with the noun before it, or with the owner's name if the owner is a model,
    /// 3. `CreateIssueIssueUser`, with the owner's name before that.
    ///
    /// A title in the description, such as "Author", replaces the second one. A first one that says nothing is replaced
    /// too: by the title, or by `Item` or `Content`.
    func candidates(for id: ModelID) -> [String] {
        let title = surroundings.uses.models[id]?.title.map(SwiftName.type)
        var short = withoutOwner(surroundings.proper.name(of: id))
        // `Response` is the name of an endpoint's whole response.
        let saysNothing = short == "Response" || repeatsOwner(short, id)
        if saysNothing { short = title ?? generalName(of: id) }
        let prefix = isEndpoint ? noun.upperCamel : name
        let long = title ?? prefix + short
        return [short, long, name + long]
    }

    /// A name for a type whose own name says nothing.
    private func generalName(of id: ModelID) -> String {
        surroundings.uses.types[id]?.isElement == true ? "Item" : "Content"
    }

    /// Removes the owner's name from the beginning of a name: `CommitAuthor` in `Commit` becomes `Author`. In an
    /// endpoint, its noun in the singular or the plural is removed too: both `IssueLabel` and `IssuesLabel` in
    /// `CreateIssueRequest` become `Label`.
    private func withoutOwner(_ typeName: String) -> String {
        var prefixes = [name]
        if isEndpoint { prefixes += [noun.plural.upperCamel, noun.upperCamel] }
        for prefix in prefixes where typeName.hasPrefix(prefix) {
            let rest = typeName.dropFirst(prefix.count)
            let isWholeWord = rest.first?.isUppercase == true
            // `Enum` says what every enum is: a `ProfileEnum` keeps its name.
            if isWholeWord, rest != "Enum" { return String(rest) }
        }
        return typeName
    }

    /// Whether the name of an unnamed type repeats the end of its owner's name, as `Error` in `GitHubError` would.
    private func repeatsOwner(_ typeName: String, _ id: ModelID) -> Bool {
        !isEndpoint && surroundings.uses.models[id]?.name == nil && name.hasSuffix(typeName)
    }
}
