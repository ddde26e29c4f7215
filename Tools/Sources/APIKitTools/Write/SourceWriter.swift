/// Writes the files of an API.
struct SourceWriter {
    let plan: Plan
    let filter: Filter

    /// The files, sorted by path: the API's base, the chosen endpoints, and the models that these need.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a text of the description would become code.
    func files() throws -> [SourceFile] {
        let chosen = plan.endpoints.indices.filter { filter.matches(plan.endpoints[$0].endpoint) }
        var files = [try file("\(plan.options.name)API.swift", BaseWriter(plan: plan).lines())]
        for index in chosen {
            files.append(try file(path(ofEndpoint: index), EndpointWriter(plan, index).lines()))
        }
        for id in sharedModels(of: chosen) {
            guard let type = plan.types[id], let writer = TypeWriter(plan, id) else { continue }
            files.append(try file("Models/\(type.name).swift", writer.lines(depth: 0)))
        }
        files += try supportFiles(for: files)
        return files.sorted { $0.path < $1.path }
    }

    /// The path of an endpoint's file, which is in the folder of the endpoint's first tag.
    private func path(ofEndpoint index: Int) -> String {
        let shape = plan.endpoints[index]
        let folder = SwiftName.type(shape.endpoint.tags.first ?? "")
        let hasFolder = folder != SwiftName.type("")
        return hasFolder ? "Endpoints/\(folder)/\(shape.name).swift" : "Endpoints/\(shape.name).swift"
    }

    /// The files of general types, such as `JSONValue`, that other files use.
    private func supportFiles(for files: [SourceFile]) throws -> [SourceFile] {
        var support: [SourceFile] = []
        if files.contains(where: { $0.text.contains("JSONValue") }) {
            support.append(try file("Models/JSONValue.swift", Support.jsonValue(access: plan.access)))
        }
        if files.contains(where: { $0.text.contains("Indirect<") }) {
            support.append(try file("Models/Indirect.swift", Support.indirect(access: plan.access)))
        }
        return support
    }

    /// The models with files of their own that endpoints need, directly or through other models.
    private func sharedModels(of chosen: [Int]) -> [ModelID] {
        var found: Set<ModelID> = []
        var work = plan.nested(in: .api).map { Schema(.model($0), place: Place(file: "")) }
        for index in chosen { work += plan.schemas(of: plan.endpoints[index]) }
        while let schema = work.popLast() {
            guard case .model(let id) = schema.core.kind, found.insert(id).inserted else { continue }
            work += plan.api.models[id]?.schemas.map(\.schema) ?? []
        }
        return found.filter { plan.types[$0]?.owner == TypeShape.Owner.none }.sorted()
    }

    // MARK: - Imports

    /// A file with the import that its code needs.
    private func file(_ path: String, _ lines: [String]) throws -> SourceFile {
        var all = plan.options.isPublic ? Documentation.completed(lines) : lines
        if let declaration = importDeclaration(for: lines) { all = [declaration, ""] + all }
        return try SourceFile(path: path, lines: all)
    }

    private func importDeclaration(for lines: [String]) -> String? {
        let words = Self.words(in: lines)
        if !words.isDisjoint(with: namesInDeclarations) { return "\(plan.access)import APIKit" }
        // The API's protocol of models inherits from APIKit, so conforming types need the import without naming APIKit.
        return words.contains(plan.modelProtocol) ? "import APIKit" : nil
    }

    /// The names of APIKit and Foundation that appear in declarations. Public declarations with them need a public
    /// import.
    private var namesInDeclarations: Set<String> {
        [
            "APIBase", "JSONResponse", "JSONBody", "ParameterValue", "EventModel", "\(plan.options.name)Request",
            "Date", "Parameters",
        ]
    }

    /// The words of code, without those in comments and literals.
    private static func words(in lines: [String]) -> Set<String> {
        var words: Set<String> = []
        for line in lines where !line.trimmed.hasPrefix("//") {
            let code = withoutLiterals(line)
            for word in code.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
                words.insert(String(word))
            }
        }
        return words
    }

    /// A line of code without the texts of its literals: the word in `"Date"` is not a type.
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

extension Plan {
    /// The schemas of all values that an endpoint sends and receives.
    func schemas(of shape: EndpointShape) -> [Schema] {
        var schemas = shape.endpoint.parameters.map(\.schema)
        switch shape.payload {
        case .members(let object, _): schemas += object.members.values.map(\.schema)
        case .value(let schema, _): schemas.append(schema)
        case .none, .bytes, .file, .text: break
        }
        schemas += shape.reply.readings.compactMap(\.schema)
        if let failure = shape.failure?.schema { schemas.append(failure) }
        return schemas
    }
}
