/// A server of the API in generated code: a constant for its URL with default values, and a function for other values
/// of its variables.
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
    /// Sets ``servers``, the servers for which code is written, with their names and the parameters for their
    /// variables.
    ///
    /// A server with the same URL as a base has the base's name and needs no constant. Any other server is named after
    /// its description or its host. A server that needs neither a constant nor a function is left out.
    func findServers() {
        var taken = Self.namesInBases.union(bases.map { $0.name.lowercased() })
        var namesByURL: [String: String] = [:]
        for (name, base) in bases where namesByURL[base.url] == nil { namesByURL[base.url] = name }
        var signatures: Set<String> = []
        for described in api.servers {
            var server = described
            // The main server's version also belongs to the others, since they have the same paths.
            server.parts.append(.text(versions[nil] ?? ""))
            let knownName = namesByURL[server.url]
            let needsConstant = knownName == nil
            let name = knownName ?? SwiftName.unique(self.name(of: server), in: &taken)
            namesByURL[server.url] = name
            var parameters = parameters(of: server)
            let isNewFunction = signatures.insert(Self.signature(name, parameters)).inserted
            // A second function with the same name and labels could not be called.
            if !isNewFunction { parameters = [:] }
            let needsFunction = !parameters.isEmpty
            guard needsConstant || needsFunction else { continue }
            servers.append(
                ServerShape(name: name, server: server, needsConstant: needsConstant, parameters: parameters))
        }
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
    private func parameters(of server: Server) -> [Int: ServerShape.Parameter] {
        var parameters: [Int: ServerShape.Parameter] = [:]
        var known: [String: ServerShape.Parameter] = [:]
        // The function uses declarations of these names.
        var taken = Self.namesInBases
        for (position, part) in server.parts.enumerated() {
            guard case .variable(let variable) = part, variable.values.count != 1 else { continue }
            if let parameter = known[variable.name] {
                parameters[position] = parameter
                continue
            }
            let isText = variable.values.isEmpty
            let signs = isText ? server.signs(allowedAt: position) : ""
            if isText {
                let isPossibleDefault = variable.defaultValue?.hasOnlyLettersDigits(andSigns: signs) ?? true
                if !isPossibleDefault || server.isEmptyAfterHost(at: position) {
                    let text: NoteText = "variable \(variable.name) of a server always has its default value"
                    api.notes.append(Note(.simplified, text, at: server.place))
                    continue
                }
            }
            let name = SwiftName.unique(SwiftName.parameter(variable.name, suffix: "Value"), in: &taken)
            let enumIndex = isText ? nil : enumIndex(for: variable)
            let parameter = ServerShape.Parameter(name: name, variable: variable, enumIndex: enumIndex, signs: signs)
            known[variable.name] = parameter
            parameters[position] = parameter
        }
        return parameters
    }

    /// Finds the enum for the values of a variable, or adds one. Returns its position in ``serverEnums``.
    ///
    /// The variable `region` of an API `Shop` has the enum `ShopRegion`. It is shared with variables of other servers
    /// if they have the same values.
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

    /// The name of a server's base: the API's name, and up to three words from the server's description, or else a word
    /// from its URL. An API `Shop` with a server "Sandbox" has the base `shopSandbox`.
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

    /// The words of a server's description that distinguish it: `sandbox` for "Sandbox server (test data)". Empty if
    /// the description is a longer text or a URL.
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
    /// The signs that the value of a variable may have besides letters and digits. They keep the value in the part of
    /// the URL where the variable stands. In `https://{region}.example.com/{version}`, a `region` with a slash would
    /// begin the path, so it may only have `-` and `.`, while a `version` may also have slashes.
    func signs(allowedAt position: Int) -> String {
        let before = textBefore(position)
        let next = characterAfter(position)
        guard let hostStart = before.firstRange(of: "://")?.upperBound else {
            // The variable is a part of the scheme, or the beginning of the URL: `{server}/v1`.
            let isScheme = next == ":" || !before.isEmpty
            return isScheme ? "" : "-._~:/"
        }
        let isInPath = before[hostStart...].contains("/")
        if isInPath { return "-._~/" }
        // After a colon, only the digits of a port can be meant.
        if before.hasSuffix(":") { return "" }
        let isWholeHost = before.hasSuffix("://")
        let endsHost = next == nil || next == "/"
        guard endsHost else { return "-." }
        // The name of a host may have a port if the description does not have one in its place.
        return isWholeHost || hasPort(inDefaultAt: position) ? "-.:" : "-."
    }

    /// Whether the default value of the variable at a position has a port.
    private func hasPort(inDefaultAt position: Int) -> Bool {
        guard case .variable(let variable) = parts[position] else { return false }
        return variable.defaultValue?.contains(":") ?? false
    }

    /// Whether a variable that is empty by default stands after the name of a host, as in `https://example.com{path}`.
    /// Any other value without a slash would become a part of that name.
    func isEmptyAfterHost(at position: Int) -> Bool {
        guard case .variable(let variable) = parts[position], variable.defaultValue?.isEmpty == true else {
            return false
        }
        let before = textBefore(position)
        guard let start = before.firstRange(of: "://")?.upperBound, start < before.endIndex else { return false }
        let isInHost = !before[start...].contains("/")
        let next = characterAfter(position)
        return isInHost && (next == nil || next == "/")
    }

    /// The first character after the variable at a position; a brace if it is another variable, and nil at the end.
    private func characterAfter(_ position: Int) -> Character? {
        guard position + 1 < parts.count else { return nil }
        switch parts[position + 1] {
        case .text(let text): return text.first
        case .variable: return "{"
        }
    }

    /// The URL before a position, with the names of variables in braces.
    private func textBefore(_ position: Int) -> String { parts[..<position].map(Self.text).joined() }

    /// A part of a URL as text: that of a variable is its name in braces, such as `{region}`.
    private static func text(of part: Part) -> String {
        switch part {
        case .text(let text): text
        // A slash in a name would look like the beginning of the path.
        case .variable(let variable): "{\(variable.name.filter { $0 != "/" })}"
        }
    }
}

extension String {
    /// Whether the text has only letters and digits of ASCII, and the given signs.
    fileprivate func hasOnlyLettersDigits(andSigns signs: String) -> Bool {
        allSatisfy { $0.isASCIIAlphanumeric || signs.contains($0) }
    }
}
