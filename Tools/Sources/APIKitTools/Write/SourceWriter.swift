/// Writes the files of an API.
struct SourceWriter {
    let plan: Plan
    let filter: Filter
    /// The paths of the files that earlier runs have written.
    var earlierPaths: Set<GeneratedPath> = []

    /// Writes all files, sorted by path: the API's base, the chosen endpoints and webhooks, the models that these need,
    /// and general types such as `Indirect`.
    ///
    /// - Parameter report: Called after each endpoint and each model, with the number of those that are written.
    /// - Returns: The files.
    /// - Throws: ``InvisibleCharacterError`` if a line contains an invisible character, such as a line separator. With
    ///   one, a text of the description could end its comment or literal and become code.
    func files(_ report: (Generation.Step.Count) -> Void = { _ in }) throws -> [SourceFile] {
        let chosenIndices = plan.endpoints.indices.filter { filter.matches(plan.endpoints[$0].endpoint) }
        // A model with an owner is declared in the owner's file.
        let models = filter.modelsNeeded(in: plan).filter { plan.types[$0]?.hasFile == true }.sorted()
        var count = Generation.Step.Count(0, of: chosenIndices.count + models.count)
        var files: [SourceFile] = []
        // A description of webhooks alone has no base.
        let baseLines = BaseWriter(plan: plan).lines()
        if !baseLines.isEmpty { files.append(try file("\(plan.options.name)API.swift", baseLines)) }
        if let oauthFile = try oauthFile() { files.append(oauthFile) }
        files += try clientFiles(withMethodsOfEndpointsAt: chosenIndices)
        let folders = EndpointFolders(plan, earlierPaths: earlierPaths)
        for index in chosenIndices {
            let path = folders.path(of: plan.endpoints[index])
            files.append(try file(path, EndpointWriter(plan, index).lines()))
            count.completed += 1
            report(count)
        }
        for index in plan.webhooks.indices where filter.matches(plan.webhooks[index].webhook) {
            let writer = WebhookWriter(plan: plan, index: index)
            let lines = writer.lines()
            if !lines.isEmpty { files.append(try file(writer.path, lines)) }
        }
        for id in models {
            if let type = plan.types[id], let writer = TypeWriter(plan, id) {
                files.append(try file("Models/\(type.name).swift", writer.lines(depth: 0)))
            }
            count.completed += 1
            report(count)
        }
        files += try supportFiles(for: files)
        return files.sorted { $0.path < $1.path }
    }

    /// Writes the file with the sources of tokens, if they are wanted and there are any.
    private func oauthFile() throws -> SourceFile? {
        if !plan.options.writesOAuthSource || plan.endpoints.isEmpty { return nil }
        let writer = OAuthSourceWriter(plan: plan, title: BaseWriter(plan: plan).titleInSentence)
        let lines = writer.lines()
        return lines.isEmpty ? nil : try SourceFile(path: writer.path, lines: writer.imports() + [""] + lines)
    }

    /// Writes the files of the API's client, if it has methods, and of their groups.
    private func clientFiles(withMethodsOfEndpointsAt indices: [Int]) throws -> [SourceFile] {
        if !plan.options.hasMethods || indices.isEmpty { return [] }
        let writer = ClientWriter(plan: plan, title: BaseWriter(plan: plan).titleInSentence)
        let start = ["\(plan.access)import APIKit", ""]
        let groups = Set(indices.map { plan.methods[$0].group })
        let client = try SourceFile(path: writer.path, lines: start + writer.lines())
        return try [client]
            + groups.map { group in
                try SourceFile(path: writer.path(of: group), lines: ["import APIKit", ""] + writer.lines(of: group))
            }
    }

    /// Writes the file of a general type that other files may use: `Indirect` for members of their own type.
    ///
    /// The name is searched in the text. If it only appears in a comment, the type is written without need, which does
    /// no harm.
    private func supportFiles(for files: [SourceFile]) throws -> [SourceFile] {
        guard files.contains(where: { $0.text.contains("Indirect<") }) else { return [] }
        return [try file("Models/Indirect.swift", Support.indirect(access: plan.access))]
    }

    // MARK: - Imports

    /// Creates a file from lines of code, with the import that they need.
    private func file(_ path: String, _ lines: [String]) throws -> SourceFile {
        guard let declaration = importDeclaration(for: lines) else { return try SourceFile(path: path, lines: lines) }
        return try SourceFile(path: path, lines: [declaration, ""] + lines)
    }

    /// The import of APIKit that lines of code need: `import APIKit` or `public import APIKit`. Nil if they need none.
    private func importDeclaration(for lines: [String]) -> String? {
        let words = Self.words(in: lines)
        if !words.isDisjoint(with: namesInDeclarations) { return "\(plan.access)import APIKit" }
        // The API's protocol of models inherits from one of APIKit. So types that conform to it need the import, even
        // if they do not contain a name of APIKit.
        return words.contains(plan.modelProtocol) ? "import APIKit" : nil
    }

    /// The names of APIKit and Foundation that appear in declarations. Public declarations with them need a public
    /// import.
    private var namesInDeclarations: Set<String> {
        [
            "APIBase", "JSONResponse", "JSONBody", "ParameterValue", "EventModel", "\(plan.options.name)Request",
            "Date", "JSON", "JSONValue", "LocalizedError", "Parameters",
        ]
    }

    /// The words of code, without those in comments and literals: `let`, `date` and `Date` for `let date: Date`.
    private static func words(in lines: [String]) -> Set<String> {
        var words: Set<String> = []
        // In generated code, a comment always has a line of its own.
        for line in lines where !line.trimmed.hasPrefix("//") {
            let wordsOfLine = withoutLiterals(line).unicodeScalars.split { !$0.isPartOfIdentifier }
            for word in wordsOfLine { words.insert(String(word)) }
        }
        return words
    }

    /// Removes the literals from a line of code: `case date = "Date"` becomes `case date = `. The word in `"Date"` is
    /// not the name of a type.
    ///
    /// A backslash and the character after it are removed everywhere. Outside of a literal, they begin a key path such
    /// as `\.cursor`, which has no names of types.
    private static func withoutLiterals(_ line: String) -> String {
        var code = String.UnicodeScalarView()
        var isInLiteral = false
        var isEscaped = false
        for scalar in line.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isInLiteral.toggle()
            } else if !isInLiteral {
                code.append(scalar)
            }
        }
        return String(code)
    }
}

extension Unicode.Scalar {
    /// Whether an identifier may contain it: a letter, a digit or an underscore.
    fileprivate var isPartOfIdentifier: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: !isASCII && (properties.isAlphabetic || properties.numericType != nil)
        }
    }
}
