/// Finds the servers that the endpoints of an API use, and names them.
struct BaseFinder {
    /// The bases of an API.
    struct Result {
        /// The bases. The first one is the API's main base: its own server.
        let all: [NamedBase]
        /// The name of each endpoint's base; nil if it is the main base.
        let namesByEndpoint: [String?]
        /// The notes on endpoints that have a server of their own.
        let notes: [Note]
    }

    /// The URL of a description without servers, which the user has to replace.
    static let placeholderURL = "https://api.example.com"

    private let apiName: String
    private let main: NamedBase
    private var bases: [NamedBase]
    private var notes: [Note] = []

    /// Finds the bases of an API. Endpoints that have a server of their own get another one than the main base.
    static func bases(of api: API, _ versions: ServerVersions, apiName: String) -> Result {
        /// The URL of a server with the version of its paths: `https://api.example.com/v1`. Nil stands for the main
        /// server.
        func url(ofServer server: String?) -> String {
            let serverURL = server ?? api.baseURL ?? placeholderURL
            return serverURL + versions.version(ofServer: server) + (server == nil ? api.sharedSegment : "")
        }
        let main = NamedBase(name: SwiftName.member(apiName), url: url(ofServer: nil))
        var finder = BaseFinder(apiName: apiName, main: main)
        var names: [String?] = []
        for endpoint in api.endpoints {
            let base = finder.base(for: endpoint, url: url(ofServer: endpoint.baseURL))
            names.append(base.url == main.url ? nil : base.name)
        }
        return Result(all: finder.bases, namesByEndpoint: names, notes: finder.notes)
    }

    private init(apiName: String, main: NamedBase) {
        self.apiName = apiName
        self.main = main
        bases = [main]
    }

    /// Returns the base with a URL, which is added if it is new. A note names an endpoint that needs another base than
    /// the main one.
    private mutating func base(for endpoint: Endpoint, url: String) -> NamedBase {
        if url == main.url { return main }
        let base: NamedBase
        if let known = bases.first(where: { $0.url == url }) {
            base = known
        } else {
            base = NamedBase(name: name(ofBaseAt: url), url: url)
            bases.append(base)
        }
        let text: NoteText =
            "\(endpoint.method) \(endpoint.path) has the server \(exact: url): see .\(exact: base.name)"
        notes.append(Note(.separate, text, at: endpoint.place))
        return base
    }

    /// A free name for a base: that of the API, and what its URL adds to that of the main base, as in `gitHubUploads`
    /// for `https://uploads.github.com`.
    private func name(ofBaseAt url: String) -> String {
        var ownWords = Servers.ownWords(of: url, comparedWith: bases[0].url)
        // The URL above the parameter that all other paths begin with.
        if ownWords.isEmpty, bases[0].url.hasPrefix("\(url)/") { ownWords = ["root"] }
        let words = Words(apiName).words + ownWords
        var taken = Servers.reservedNames.union(bases.map { $0.name.lowercased() })
        return SwiftName.unique(Words(words: words).lowerCamel, in: &taken)
    }
}

extension API {
    /// The segment of the base URL for the parameter that all paths begin with: `/{account_id}`; empty if there is
    /// none.
    var sharedSegment: String { sharedParameter.map { "/{\($0.name)}" } ?? "" }
}
