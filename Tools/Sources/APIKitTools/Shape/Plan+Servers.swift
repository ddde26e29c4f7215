/// A server of the API in generated code: a constant for its URL with default values, and a function for other values of
/// its variables.
struct ServerShape {
    /// A parameter of the function.
    struct Parameter {
        /// The name.
        let name: String
        /// The variable in the URL.
        let variable: Server.Variable
        /// The position of the enum of its values in ``Plan/serverEnums``; nil for a text.
        let enumIndex: Int?
        /// The signs that a text may have besides letters and digits.
        let signs: String
    }

    /// The name of the constant and of the function, such as `shopSandbox`.
    let name: String
    /// The server. Its URL ends in the version that all paths of the API begin with.
    let server: Server
    /// Whether a constant has to be declared; false if one of the plan's bases has the same URL.
    let needsConstant: Bool
    /// The parameters by the positions of their variables in the URL; empty if no function is needed.
    let parameters: [Int: Parameter]
}

/// An enum of the values of a server's variable.
struct ServerEnum {
    let name: String
    let values: [String]
}

extension Plan {
    /// Finds the names and the variables of the API's servers.
    ///
    /// The constant of the main server is the API's main base. Another server is named after its description or its
    /// host, unless an endpoint's own base already has its URL.
    func findServers() {
        var taken = Set(bases.map { $0.name.lowercased() })
        var namesByURL: [String: String] = [:]
        for (name, base) in bases where namesByURL[base.url] == nil { namesByURL[base.url] = name }
        var signatures: Set<String> = []
        for server in api.servers {
            var server = server
            // The main server's version also belongs to the others, since they have the same paths.
            server.parts.append(.text(versions[nil] ?? ""))
            let knownName = namesByURL[server.url]
            let name = knownName ?? SwiftName.unique(self.name(of: server), in: &taken)
            namesByURL[server.url] = name
            var parameters = parameters(of: server)
            let labels = parameters.sorted { $0.key < $1.key }.map(\.value.name)
            // A second function with the same name and labels could not be called.
            let isNew = signatures.insert(([name] + labels).joined(separator: ":")).inserted
            if !isNew { parameters = [:] }
            if knownName != nil, parameters.isEmpty { continue }
            servers.append(
                ServerShape(name: name, server: server, needsConstant: knownName == nil, parameters: parameters))
        }
    }

    // MARK: - Variables

    /// The parameters for the variables of a server, by their positions in its URL. A variable that appears twice has
    /// one parameter at both.
    private func parameters(of server: Server) -> [Int: ServerShape.Parameter] {
        var parameters: [Int: ServerShape.Parameter] = [:]
        var known: [String: ServerShape.Parameter] = [:]
        // The function uses declarations of these names.
        var taken: Set<String> = ["checked", "commonheaders"]
        for (position, part) in server.parts.enumerated() {
            guard case .variable(let variable) = part, variable.values.count != 1 else { continue }
            if let parameter = known[variable.name] {
                parameters[position] = parameter
                continue
            }
            var signs = ""
            if variable.values.isEmpty {
                signs = server.signs(allowedAt: position)
                guard variable.defaultValue?.hasOnlyLettersDigits(andSigns: signs) ?? true else {
                    let text: NoteText = "variable \(variable.name) of a server always has its default value"
                    api.notes.append(Note(.simplified, text, at: server.place))
                    continue
                }
            }
            let name = SwiftName.unique(SwiftName.parameter(variable.name, suffix: "Value"), in: &taken)
            let enumIndex = variable.values.isEmpty ? nil : enumIndex(for: variable)
            let parameter = ServerShape.Parameter(name: name, variable: variable, enumIndex: enumIndex, signs: signs)
            known[variable.name] = parameter
            parameters[position] = parameter
        }
        return parameters
    }

    /// The position in ``serverEnums`` of the enum for the values of a variable, which is added if it is new.
    private func enumIndex(for variable: Server.Variable) -> Int {
        let wantedName = options.name + SwiftName.type(variable.name)
        for (index, known) in serverEnums.enumerated() where known.values == variable.values {
            if known.name.hasPrefix(wantedName) { return index }
        }
        // The enum is nested in `APIBase`, where it would hide a type of the library.
        var taken = Set(serverEnums.map { $0.name.lowercased() }).union(SwiftName.reservedTypes.map { $0.lowercased() })
        serverEnums.append(ServerEnum(name: SwiftName.unique(wantedName, in: &taken), values: variable.values))
        return serverEnums.count - 1
    }

    // MARK: - Names

    /// The name of a server's base: the API's, and a word from the server's description or URL, as in `shopSandbox`.
    private func name(of server: Server) -> String {
        let own = Words(options.name).words
        let described = Self.distinguishingWords(in: server.documentation ?? "", besides: own)
        if described.isEmpty {
            // The scheme does not distinguish a server.
            let address = server.url.drop { $0 != "/" }
            let words = Self.ownWords(of: String(address), comparedWith: bases[0].base.url)
            return SwiftName.member(Words(words: own + words).lowerCamel)
        }
        return SwiftName.member(Words(words: own + described).lowerCamel)
    }

    /// Words that do not distinguish a server from others.
    private static let generalWords: Set<String> = [
        "a", "an", "api", "base", "endpoint", "endpoints", "env", "environment", "for", "host", "in", "of", "our",
        "server", "servers", "the", "to", "url",
    ]

    /// The words of a server's description that distinguish it: `sandbox` for "Sandbox server (test data)". Empty if the
    /// description is a longer text or a URL.
    private static func distinguishingWords(in description: String, besides own: [String]) -> [String] {
        if description.hasPrefix("http") { return [] }
        let beginning = String(description.prefix { !".,;:(".contains($0) }.prefix(100))
        let words = Words(beginning).words.filter { word in
            !generalWords.contains(word.lowercased()) && !own.contains(word)
        }
        return words.count > 3 ? [] : words
    }
}

extension Server {
    /// The signs that the value of a variable may have besides letters and digits, so that it cannot become another part
    /// of the URL than the one that it stands in: in the name of a host, a slash would begin the path.
    func signs(allowedAt position: Int) -> String {
        let before = textBefore(position)
        let after = position + 1 < parts.count ? parts[position + 1] : .text("")
        var next: Character?
        if case .text(let text) = after { next = text.first } else { next = "{" }
        guard let start = before.firstRange(of: "://")?.upperBound else {
            // A scheme, or the beginning of a URL up to its path.
            let isScheme = next == ":"
            return isScheme || !before.isEmpty ? "" : "-._~:/"
        }
        let isInPath = before[start...].contains("/")
        if isInPath { return "-._~/" }
        // A host at the end may have a port.
        let endsHost = next == nil || next == "/"
        return endsHost ? "-.:" : "-."
    }

    /// The URL before a position, with the names of variables in braces.
    private func textBefore(_ position: Int) -> String {
        parts[..<position].map { part in
            switch part {
            case .text(let text): text
            case .variable(let variable): "{\(variable.name.filter { $0 != "/" })}"
            }
        }.joined()
    }
}

extension String {
    /// Whether the text has only letters and digits of ASCII, and the given signs.
    fileprivate func hasOnlyLettersDigits(andSigns signs: String) -> Bool {
        allSatisfy { $0.isASCIIAlphanumeric || signs.contains($0) }
    }
}
