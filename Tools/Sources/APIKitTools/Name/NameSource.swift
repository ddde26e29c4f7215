/// What the names of an endpoint are made of.
///
/// The first row that applies decides:
///
/// | own name in the description | operation | source | names |
/// | --- | --- | --- | --- |
/// | none | GET `/teams/{id}/tasks` | path | `ListTasks`, `ListTeamTasks` |
/// | class and method, which say more: `CatsController_adopt` | POST `/cats/{id}/adopt` | description | `AdoptCat` |
/// | class and method: `AppController_find` | GET `/cats/{id}` | path | `GetCat` |
/// | method and path: `get_folders_id` | GET `/folders/{id}` | repetition | `GetFolder` |
/// | the same after a qualifier: `beta_messages_post` | POST `/v1/messages` | repetition | `CreateBetaMessage` |
/// | the same after a name: `read_items_items_get` | GET `/items` | description | `GetItems` |
/// | only a verb that reads: `getAll` | GET `/things` | path | `ListThings` |
/// | any other: `repos/list-for-user` | GET `/users/{id}/repos` | description | `ListReposForUser` |
enum NameSource {
    /// The method and the path.
    case path
    /// The method and the path, with what the description's own name says besides.
    case repetition(MechanicalName)
    /// The description's own name, with the names that follow from it. There is at least one.
    case description([String])

    /// Chooses the source for an endpoint: its own name if that says more than the method and the path, then what it
    /// says besides them, and the path alone if it says nothing.
    init(_ endpoint: Endpoint) {
        let mechanical = MechanicalName(endpoint)
        let described = Self.namesFromDescription(endpoint, mechanical)
        if !described.isEmpty {
            self = .description(described)
        } else if let mechanical {
            self = .repetition(mechanical)
        } else {
            self = .path
        }
    }

    /// The names that follow from the own name of an endpoint; empty if it has none, or if that says no more than the
    /// method and the path.
    private static func namesFromDescription(_ endpoint: Endpoint, _ mechanical: MechanicalName?) -> [String] {
        guard let own = endpoint.ownName else { return [] }
        if let controller = ControllerName(own) {
            return controller.names(for: endpoint).map { UsualName.name($0, endpoint) }
        }
        guard let mechanical else { return DescribedName(own, endpoint).names(for: endpoint) }
        guard mechanical.isNamedByQualifier else { return [] }
        let nameBefore = mechanical.qualifier.joined(separator: "_")
        return DescribedName(nameBefore, endpoint).names(for: endpoint)
    }

    // MARK: - Names

    /// The names in the order in which they are tried. Each begins with a verb.
    ///
    /// | source | names |
    /// | --- | --- |
    /// | path | those of the path |
    /// | repetition | those of the path with parents, with a qualifier and a version |
    /// | description | those of the description, and then those of the path with parents |
    /// | description, more than five words | those of the path with parents, and then those of the description |
    ///
    /// Beside a name in the description, the path's name without parents is left out: `ListTasks` says less than
    /// `ListProjectTasks`, the name with the parent `project`. It stays if the path has no parents.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - pathHasGet: Whether the same path also has a GET. This is a hint that a POST updates. It is ignored beside a
    ///     name in the description, which shows what the POST does.
    /// - Returns: The names.
    func names(for endpoint: Endpoint, pathHasGet: Bool) -> [String] {
        switch self {
        case .path:
            return PathNames(PathMeaning(endpoint, pathHasGet: pathHasGet)).all
        case .repetition(let mechanical):
            let pathNames = PathNames(PathMeaning(endpoint, pathHasGet: pathHasGet))
            return mechanical.adding(to: pathNames.longer, endpoint)
        case .description(let names):
            let pathNames = PathNames(PathMeaning(endpoint, pathHasGet: false)).longer
            // A name of more than five words is hard to read: the path usually leads to a shorter one.
            let isLong = Words(names.first ?? "").words.count > 5
            return isLong ? pathNames + names : names + pathNames
        }
    }
}
