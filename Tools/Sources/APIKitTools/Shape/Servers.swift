/// A stage of a plan: the servers of the API, and which of them each endpoint uses. It is made from the contents.
///
/// A server that endpoints use is a base, a constant of the API with the version that all paths of the server begin
/// with. The other servers, and those whose URL has variables, get constants and functions beside the bases.
struct Servers {
    /// The bases with their names. The first one is the API's main base.
    let bases: [NamedBase]
    /// The name of each endpoint's base; nil if it is the main base.
    let basesOfEndpoints: [String?]
    /// The servers for which a constant or a function is written, the main one first.
    let others: [ServerShape]
    /// The enums of the values of servers' variables.
    let enums: [ServerEnum]
    /// The function for the value of the variable in the main base; nil if it has none.
    let variable: BaseVariable?
    let notes: [Note]
    private let versions: ServerVersions

    /// Finds the servers of an API of some name.
    init(_ contents: Contents, apiName: String) {
        let versions = ServerVersions(contents.api)
        let bases = BaseFinder.bases(of: contents.api, versions, apiName: apiName)
        let servers = ServerFinder.servers(of: contents.api, versions, bases.all, apiName: apiName)
        self.versions = versions
        self.bases = bases.all
        basesOfEndpoints = bases.namesByEndpoint
        others = servers.shapes
        enums = servers.enums
        variable = contents.api.sharedParameter.map { BaseVariable($0, mainBase: bases.all[0]) }
        notes = bases.notes + servers.notes
    }

    /// The base that endpoints use by default.
    var mainBase: NamedBase { bases[0] }

    /// The path of an endpoint below its base: `users/{id}` for `/v1/users/{id}` if the base's URL ends in `/v1`.
    func path(of endpoint: Endpoint) -> Substring {
        let version = versions.version(ofServer: endpoint.baseURL)
        return endpoint.path.dropFirst(version.count).drop { $0 == "/" }
    }

    /// The first segment of the path below the base that is not a value or a version: `orders` for `v2/orders/{id}`;
    /// empty if there is none.
    func firstNoun(of endpoint: Endpoint) -> String {
        for segment in path(of: endpoint).split(separator: "/") {
            let isValue = segment.contains("{")
            let isVersion = segment.first == "v" && segment.dropFirst().allSatisfy { $0.isNumber || $0 == "." }
            if isValue || isVersion || segment == "api" { continue }
            // `orders` for `orders.json` and `orders:search`.
            return String(segment.prefix { $0 != "." && $0 != ":" })
        }
        return ""
    }

    /// The names, in lower case, of the private declarations beside the bases.
    static let reservedNames: Set = ["checked", "commonheaders"]

    /// The words that distinguish a base's URL from the main one: `uploads` for `https://uploads.example.com`. They are
    /// those of the first part of the URL, between slashes, dots and colons, that the main URL does not have.
    static func ownWords(of url: String, comparedWith main: String) -> [String] {
        func parts(of url: String) -> [String] { url.split { "/.:".contains($0) }.map(String.init) }
        let otherParts = Set(parts(of: main) + ["api", "www"])
        guard let ownPart = parts(of: url).first(where: { !otherParts.contains($0) }) else { return [] }
        return Words(ownPart).words
    }
}

/// The variable in the URL of the main base, and the function that sets it.
struct BaseVariable {
    /// The parameter in the description.
    let parameter: Parameter
    /// The name of the function's parameter, such as `accountID`.
    let name: String
    /// The code for the base with a value that has this name: `.desk(accountID: accountID)`.
    let base: String
    /// The call with which a client sets the value: `.based(at: .desk(accountID: accountID), insteadOf: .desk)`. Other
    /// bases stay as they are, also those of endpoints that are written by hand.
    let call: String

    init(_ parameter: Parameter, mainBase: NamedBase) {
        self.parameter = parameter
        let usualName = SwiftName.parameter(parameter.name, suffix: "Value")
        // The client's initializer has a parameter `client`, too.
        name = usualName == "client" ? "clientValue" : usualName
        let replaced = ".\(SwiftName.code(mainBase.name))"
        base = "\(replaced)(\(name): \(name))"
        call = ".based(at: \(base), insteadOf: \(replaced))"
    }
}

/// A constant for a server that endpoints use.
struct NamedBase {
    /// The name of the constant, such as `gitHubUploads`.
    let name: String
    /// The URL of the server, with the version that all paths begin with: `https://api.example.com/v1`.
    let url: String
}
