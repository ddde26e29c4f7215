/// Chooses the groups and the names of the methods of the API's client.
///
/// A method is named after its endpoint, with a verb and without the noun of its group: in a group `todos`,
///
/// | endpoint | method |
/// | --- | --- |
/// | `TodosRequest` | `list` |
/// | `TodoRequest` | `get` |
/// | `CompleteTodoRequest` | `complete` |
/// | `TodoCommentsRequest` | `listComments` |
/// | `AssignedTodosRequest` | `listAssigned` |
/// | `ProjectTodosRequest` | `listProjectTodos`, since `listProject` would list something else |
///
/// If several endpoints of a group would have the same name, only one that is just a verb and the noun of the group
/// keeps it. The others have their full names, such as `listTodos`. A list needs the plural for that: the items of a
/// `CollectionRequest` are `listCollection` beside the `list` of all collections. All other verbs prefer the singular:
/// beside the `update` of one todo, that of several is `updateTodos`. If that is not enough, the name gets a value of
/// the path: `listByOwner`.
struct MethodNamer {
    private let names: Names
    private let servers: Servers

    /// Creates a namer for the methods of an API's endpoints, which have names already.
    init(_ names: Names, _ servers: Servers) {
        self.names = names
        self.servers = servers
    }

    /// The methods, in the order of the endpoints.
    func methods() -> [MethodShape] {
        let groups = groups()
        let methodNames = zip(names.endpoints, groups).map { MethodName($0, group: $1) }
        var namesByShortName: [MethodKey: [MethodName]] = [:]
        for (name, group) in zip(methodNames, groups) {
            namesByShortName[MethodKey(group: group, name: name.short.name), default: []].append(name)
        }
        var chooser = MethodChooser()
        let chosen = methodNames.indices.map { index in
            let name = methodNames[index]
            let sharing = namesByShortName[MethodKey(group: groups[index], name: name.short.name)] ?? []
            let wanted = name.keepsShortName(among: sharing) ? name.short : name.full
            let values = Endpoint.names(in: names.endpoints[index].endpoint.path)
            return chooser.choose(wanted, or: name.full, values: values, in: groups[index])
        }
        // Names from the description come before those that are made of them.
        return chosen.indices.map { index in
            let group = groups[index]
            var nameOfAll = chosen[index].nameOfAll
            let isWritten = names.endpoints[index].paging != nil
            if isWritten { nameOfAll = chooser.chooseNameOfAll(nameOfAll, or: methodNames[index].full, in: group) }
            return MethodShape(group: group, name: chosen[index].name, nameOfAll: nameOfAll)
        }
    }

    // MARK: - Groups

    /// The groups of the endpoints. If tags do not group them, since all have the same one or none, their paths do.
    private func groups() -> [MethodGroup] {
        let endpoints = names.endpoints.map(\.endpoint)
        let tagsGroup = Set(endpoints.map(\.tags.first)).count > 1
        // By their types in lower case, since these are also names of files, and many file systems ignore case.
        var known: [String: MethodGroup] = [:]
        return endpoints.map { endpoint in
            let tag = tagsGroup ? endpoint.tags.first : nil
            let wanted = Self.group(tag ?? servers.firstNoun(of: endpoint))
            let key = wanted.typeName.lowercased()
            let group = known[key] ?? wanted
            known[key] = group
            return group
        }
    }

    /// The group for a tag or a noun. Endpoints without either are in the group `root`.
    private static func group(_ name: String) -> MethodGroup {
        // A text without letters and digits has the same name as the empty text.
        let isEmpty = SwiftName.type(name) == SwiftName.type("")
        let wantedType = isEmpty ? "Root" : SwiftName.type(name)
        let wantedProperty = isEmpty ? "root" : SwiftName.member(name)
        // Inside of the client, the group's type would hide a type such as `Data`, and `ShopClient.Type` means
        // something else. `client` and `self` are properties already.
        // Scripts without capitals, such as Chinese, give the property the name of the type.
        let hidesAnother = SwiftName.reservedTypes.contains(wantedType) || wantedType == wantedProperty
        let typeName = hidesAnother ? "\(wantedType)Methods" : wantedType
        let isReserved = ["client", "init", "self"].contains(wantedProperty)
        return MethodGroup(
            typeName: typeName, propertyName: isReserved ? "\(wantedProperty)Methods" : wantedProperty)
    }
}

/// A name in a group of methods.
private struct MethodKey: Hashable {
    let group: MethodGroup
    let name: String
}

/// Chooses names that no other method of a group has.
private struct MethodChooser {
    /// The name of a method, and the one that the method for all items would have.
    struct Choice {
        let name: String
        let nameOfAll: String
    }

    private var taken: [MethodGroup: TakenNames] = [:]
    /// The values in the paths of the methods that wanted a name.
    private var values: [MethodKey: Set<String>] = [:]

    /// Takes the first of these names that is free: the wanted one, one with a value of the path that no other method
    /// with this name has, and the full name. If none is free, the wanted name gets a number.
    mutating func choose(
        _ wanted: MethodName.Verbed, or full: MethodName.Verbed, values valuesOfPath: [String], in group: MethodGroup
    ) -> Choice {
        let key = MethodKey(group: group, name: wanted.name)
        let knownValues = values[key, default: []]
        let ownValues = valuesOfPath.filter { !knownValues.contains($0) }
        let candidates = [wanted] + ownValues.map(wanted.adding) + [full]
        var takenInGroup = takenNames(in: group)
        let free = candidates.first { !takenInGroup.contains($0.name) }
        let verbed = free ?? wanted
        let name = takenInGroup.take(verbed.name)
        taken[group] = takenInGroup
        values[key] = knownValues.union(valuesOfPath)
        return Choice(name: name, nameOfAll: verbed.nameOfAll(insteadOf: name))
    }

    /// Takes the name of a method for all items, or the full name if that is taken. If that is, too, the name gets a
    /// number.
    mutating func chooseNameOfAll(_ wanted: String, or full: MethodName.Verbed, in group: MethodGroup) -> String {
        var takenInGroup = takenNames(in: group)
        let free = takenInGroup.firstFree(of: [wanted, full.nameOfAll(insteadOf: full.name)])
        let name = takenInGroup.take(free ?? wanted)
        taken[group] = takenInGroup
        return name
    }

    /// The names that are taken in a group, which has a property `client`.
    private func takenNames(in group: MethodGroup) -> TakenNames { taken[group] ?? TakenNames(["client", "init"]) }
}

/// The possible names of a method.
private struct MethodName {
    /// The words of a name, the first one of which is a verb.
    struct Verbed {
        let words: [String]

        /// `listComments`
        var name: String { Words(words: words).lowerCamel }

        /// The name of the function for the items of all pages: `allComments` for `listComments`, and `searchAll` for
        /// `search`.
        func nameOfAll(insteadOf unique: String) -> String {
            let saysOnlyReading = ["get", "list"].contains(words[0]) && unique == name
            return saysOnlyReading ? Words(words: ["all"] + words.dropFirst()).lowerCamel : "\(unique)All"
        }

        /// The words with a value of the path: `list by entity type` for the value `entity_type`.
        func adding(_ value: String) -> Verbed { Verbed(words: words + ["by"] + Words(value).words) }
    }

    /// The name with all words of the endpoint's: `list todo comments`.
    let full: Verbed
    /// The name without the noun of the group: `list comments`.
    let short: Verbed
    /// Whether the full name is only a verb and the noun of the group, in the plural after `list`.
    private let isExact: Bool
    /// Whether the full name is a verb other than `list`, and the noun of the group in the plural.
    private let isAboutSeveral: Bool

    init(_ shape: EndpointShape, group: MethodGroup) {
        let words = Self.verbed(shape)
        let noun = Words(group.propertyName).singular.words
        full = Verbed(words: words)
        let object = Array(words.dropFirst())
        let isList = words.first == "list"
        let listsOne = isList && object == noun
        isExact = object.map(Words.singular) == noun && !listsOne
        isAboutSeveral = isExact && !isList && object != noun
        short = Verbed(words: words.prefix(1) + Self.withoutNoun(noun, Array(words.dropFirst())))
    }

    /// Whether the endpoint gets the short name, which it shares with some endpoints.
    ///
    /// - Parameter sharing: The names of the endpoints, among them this one.
    /// - Returns: Whether it does. Several endpoints may get it.
    func keepsShortName(among sharing: [MethodName]) -> Bool {
        if sharing.count < 2 { return true }
        let isOneAboutOne = sharing.contains { $0.isExact && !$0.isAboutSeveral }
        return isExact && !(isAboutSeveral && isOneAboutOne)
    }

    /// The words of an object without the noun of the group, if the rest says enough: `comments` of `todo comments`,
    /// and `assigned` of `assigned todos`, but all of `project todos`. Nothing remains of `my todos`.
    private static func withoutNoun(_ noun: [String], _ object: [String]) -> [String] {
        let singulars = object.map(Words.singular)
        if noun.isEmpty { return object }
        if singulars.starts(with: noun) { return Array(object.dropFirst(noun.count)) }
        let adjectives = object.dropLast(noun.count)
        let endsInNoun = singulars.suffix(noun.count) == noun[...]
        guard endsInNoun, adjectives.count == 1, let adjective = adjectives.first else { return object }
        if adjective == "my" { return [] }
        let canStandAlone = adjective.hasSuffix("ed") || adjective.mayBe(.adjective)
        return canStandAlone ? [adjective] : object
    }

    /// The words of an endpoint's name. A verb is added to that of a GET, which usually has none: `list todos` for
    /// `TodosRequest`.
    private static func verbed(_ shape: EndpointShape) -> [String] {
        let name = shape.nameWithoutSuffix
        let words = Words(name).words
        guard shape.endpoint.method == "GET", !shape.returnsStream, let first = words.first else { return words }
        // The description's own name comes before those from the path.
        let nameWithVerb = EndpointName.candidates(for: shape.endpoint).names.first {
            $0 == "Get\(name)" || $0 == "List\(name)"
        }
        if nameWithVerb == nil, EndpointName.isAlwaysVerb(first) { return words }
        let isList = shape.returnsList || nameWithVerb == "List\(name)"
        return [isList ? "list" : "get"] + words
    }
}

extension EndpointShape {
    /// Whether the endpoint returns a stream. The name of one has a verb already, such as `watch`, or needs none.
    fileprivate var returnsStream: Bool {
        guard case .one(let reading) = reply else { return false }
        switch reading {
        case .events, .lines: return true
        case .none, .text, .bytes, .file, .json, .envelope: return false
        }
    }

    /// Whether the endpoint returns a list or a page of one.
    fileprivate var returnsList: Bool {
        if paging != nil { return true }
        guard case .one(let reading) = reply else { return false }
        return reading.schema?.isList == true
    }
}
