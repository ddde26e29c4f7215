/// Finds the servers of an API for which code is written besides its bases, and names them and the parameters for
/// their variables.
struct ServerFinder {
    /// The servers of an API.
    struct Result {
        /// The servers for which a constant or a function is written.
        let shapes: [ServerShape]
        /// The enums of the values of variables.
        let enums: [ServerEnum]
        /// The notes on variables without a parameter.
        let notes: [Note]
    }

    private let apiName: String
    private let mainURL: String
    /// The names of bases and servers so far, in lower case.
    private var takenNames: Set<String>
    private var namesByURL: [String: String]
    /// The names of the functions so far with their labels.
    private var signatures: Set<String> = []
    private var enums: [ServerEnum] = []
    private var notes: [Note] = []

    /// Finds the servers of an API with some bases.
    static func servers(
        of api: API, _ versions: ServerVersions, _ bases: [NamedBase], apiName: String
    ) -> Result {
        var finder = ServerFinder(bases, apiName: apiName)
        var shapes: [ServerShape] = []
        for described in api.servers {
            var server = described
            // The main server's version also belongs to the others, since they have the same paths.
            server.parts.append(.text(versions.version(ofServer: nil) + api.sharedSegment))
            let shape = finder.shape(of: server)
            let needsFunction = !shape.parameters.isEmpty
            if shape.needsConstant || needsFunction { shapes.append(shape) }
        }
        return Result(shapes: shapes, enums: finder.enums, notes: finder.notes)
    }

    private init(_ bases: [NamedBase], apiName: String) {
        self.apiName = apiName
        mainURL = bases[0].url
        takenNames = Servers.reservedNames.union(bases.map { $0.name.lowercased() })
        namesByURL = Dictionary(bases.map { ($0.url, $0.name) }) { first, _ in first }
    }

    /// Decides the name and the parameters of a server.
    ///
    /// A server with the same URL as a base, or as a server before it, has that one's name and needs no constant. Any
    /// other server is named after its description or its host.
    private mutating func shape(of server: Server) -> ServerShape {
        let knownName = namesByURL[server.url]
        let name = knownName ?? SwiftName.unique(wantedName(of: server), in: &takenNames)
        namesByURL[server.url] = name
        let parameters = parameters(of: server)
        let isNewFunction = signatures.insert(Self.signature(name, parameters)).inserted
        // A second function with the same name and labels could not be called, so the server gets none.
        return ServerShape(
            name: name, server: server, needsConstant: knownName == nil, parameters: isNewFunction ? parameters : [:])
    }

    /// The name and the labels of a server's function, which identify it: `shop:region:tenant`.
    private static func signature(_ name: String, _ parameters: [Int: ServerShape.Parameter]) -> String {
        let labels = parameters.sorted { $0.key < $1.key }.map(\.value.name)
        return ([name] + labels).joined(separator: ":")
    }

    // MARK: - Variables

    /// Creates a parameter for each variable of a server, and returns them by the variables' positions in its URL. A
    /// variable that appears twice has the same parameter at both positions.
    ///
    /// A variable with a single legal value has no parameter. Neither does one whose default value has signs that other
    /// values could not have at this position.
    private mutating func parameters(of server: Server) -> [Int: ServerShape.Parameter] {
        var parameters: [Int: ServerShape.Parameter] = [:]
        var known: [String: ServerShape.Parameter] = [:]
        // The function uses declarations of these names.
        var takenLabels = Servers.reservedNames
        for (position, part) in server.parts.enumerated() {
            guard case .variable(let variable) = part, variable.values.count != 1 else { continue }
            if let parameter = known[variable.name] {
                parameters[position] = parameter
            } else if server.canChange(variable, at: position) {
                let parameter = parameter(for: variable, at: position, of: server, &takenLabels)
                known[variable.name] = parameter
                parameters[position] = parameter
            } else {
                let text: NoteText = "variable \(variable.name) of a server always has its default value"
                notes.append(Note(.simplified, text, at: server.place))
            }
        }
        return parameters
    }

    /// Creates the parameter for a variable: one of an enum, or a text with some signs.
    private mutating func parameter(
        for variable: Server.Variable, at position: Int, of server: Server, _ takenLabels: inout Set<String>
    ) -> ServerShape.Parameter {
        let name = SwiftName.unique(SwiftName.parameter(variable.name, suffix: "Value"), in: &takenLabels)
        if variable.values.isEmpty {
            let signs = server.signs(allowedAt: position)
            return ServerShape.Parameter(name: name, variable: variable, enumIndex: nil, signs: signs)
        }
        return ServerShape.Parameter(name: name, variable: variable, enumIndex: enumIndex(for: variable), signs: "")
    }

    /// Finds the enum for the values of a variable, or adds one. Returns its position in ``Servers/enums``.
    ///
    /// The variable `region` of an API `Shop` has the enum `ShopRegion`. It is shared with variables of other servers
    /// if they have the same values.
    private mutating func enumIndex(for variable: Server.Variable) -> Int {
        let wantedName = apiName + SwiftName.type(variable.name)
        let known = enums.firstIndex { $0.values == variable.values && $0.name.hasPrefix(wantedName) }
        if let known { return known }
        // The enum is nested in `APIBase`, where it would hide a type of the library with the same name.
        var taken = Set(enums.map { $0.name.lowercased() }).union(SwiftName.reservedTypes.map { $0.lowercased() })
        enums.append(ServerEnum(name: SwiftName.unique(wantedName, in: &taken), values: variable.values))
        return enums.count - 1
    }

    // MARK: - Names

    /// The name of a server's base: the API's name, and up to three words from the server's description, or else a word
    /// from its URL. An API `Shop` with a server "Sandbox" has the base `shopSandbox`.
    private func wantedName(of server: Server) -> String {
        let apiWords = Words(apiName).words
        let described = Self.distinguishingWords(in: server.documentation ?? "", besides: apiWords)
        if described.isEmpty {
            // The scheme does not distinguish a server, so it is cut off.
            let address = server.url.drop { $0 != "/" }
            let words = Servers.ownWords(of: String(address), comparedWith: mainURL)
            return SwiftName.member(Words(words: apiWords + words).lowerCamel)
        }
        return SwiftName.member(Words(words: apiWords + described).lowerCamel)
    }

    /// Words that do not distinguish a server from others.
    private static let generalWords: Set<String> = [
        "a", "an", "api", "base", "endpoint", "endpoints", "env", "environment", "for", "host", "in", "of", "our",
        "server", "servers", "the", "to", "url",
    ]

    /// The words of a server's description that distinguish it: `sandbox` for "Sandbox server (test data)". Empty if
    /// the description is a URL.
    ///
    /// Also empty if more than three words are left: the description is then a sentence, which would make a long and
    /// arbitrary name. The first 100 characters are enough to see that.
    private static func distinguishingWords(in description: String, besides apiWords: [String]) -> [String] {
        if description.hasPrefix("http") { return [] }
        // A name ends before the first punctuation mark.
        let beginning = String(description.prefix { !".,;:(".contains($0) }.prefix(100))
        let words = Words(beginning).words.filter { word in
            !generalWords.contains(word.lowercased()) && !apiWords.contains(word)
        }
        return words.count > 3 ? [] : words
    }
}
