/// A file of generated code.
struct SourceFile: Equatable {
    /// The path below the folder of the API.
    let path: String
    let text: String
}

extension SourceFile {
    /// Creates a file of lines.
    ///
    /// - Throws: ``InvisibleCharacterError`` if one of the lines is several, or does not show what it is: a text of the
    ///   description has left its comment or literal, which is a mistake of the generator.
    init(path: String, lines: [String]) throws {
        guard !lines.contains(where: { $0.unicodeScalars.contains(where: \.isInvisible) }) else {
            throw InvisibleCharacterError(path: path)
        }
        self.init(path: path, text: lines.joined(separator: "\n") + "\n")
    }
}

/// Why a file is not written.
struct InvisibleCharacterError: Error, Equatable, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path.visible) is not written, since a text of the description would have become code: please report this"
    }
}

/// Writes the files of an API.
struct SourceWriter {
    let plan: Plan
    let filter: Filter

    /// The files, sorted by path: the base, one for each chosen endpoint, and those of the models that these need.
    ///
    /// - Throws: ``InvisibleCharacterError`` if a text of the description would become code.
    func files() throws -> [SourceFile] {
        let chosen = plan.endpoints.indices.filter { filter.matches(plan.endpoints[$0].endpoint) }
        var files = [try file("\(plan.options.name)API.swift", BaseWriter(plan: plan).lines())]
        for index in chosen {
            let writer = EndpointWriter(plan, index)
            let folder = SwiftName.type(plan.endpoints[index].endpoint.tags.first ?? "")
            let path = folder == "empty" ? "" : "\(folder)/"
            files.append(try file("Endpoints/\(path)\(plan.endpoints[index].name).swift", writer.lines()))
        }
        for id in models(of: chosen) {
            guard let type = plan.types[id], let writer = TypeWriter(plan, id) else { continue }
            files.append(try file("Models/\(type.name).swift", writer.lines(depth: 0)))
        }
        let text = files.map(\.text)
        let support = [("JSONValue", "JSONValue", Support.jsonValue), ("Indirect", "Indirect<", Support.indirect)]
        for (name, mark, lines) in support where text.contains(where: { $0.contains(mark) }) {
            files.append(try file("Models/\(name).swift", lines(plan.access)))
        }
        return files.sorted { $0.path < $1.path }
    }

    private func file(_ path: String, _ lines: [String]) throws -> SourceFile {
        let code = lines.filter { !$0.trimmed.hasPrefix("//") }
        let words = Set(code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
        let names: Set<Substring> = [
            "APIBase", "JSONResponse", "JSONBody", "ParameterValue", "EventModel", "\(plan.options.name)Request",
            "Date", "Parameters",
        ]
        // A model needs what its protocol inherits, but does not name it.
        let access = words.isDisjoint(with: names) ? "" : plan.access
        let needsImport = !words.isDisjoint(with: names.union([plan.modelProtocol[...]]))
        let head = needsImport ? ["\(access)import APIKit", ""] : []
        let lines = head + (plan.options.isPublic ? Documentation.completed(lines) : lines)
        return try SourceFile(path: path, lines: lines)
    }

    /// The models with files of their own that endpoints need, directly or inside of others.
    private func models(of chosen: [Int]) -> [ModelID] {
        var found: Set<ModelID> = []
        var work = plan.nested(in: .api).map { Schema(.model($0), place: Place(file: "")) }
        for index in chosen { work += plan.schemas(of: plan.endpoints[index]) }
        while let schema = work.popLast() {
            guard case .model(let id) = schema.core.kind, found.insert(id).inserted else { continue }
            work += plan.api.models[id]?.schemas.map(\.schema) ?? []
        }
        return found.filter { plan.types[$0]?.owner == TypeShape.Owner.none }.sorted()
    }
}

extension Plan {
    /// The values that an endpoint sends and receives.
    func schemas(of shape: EndpointShape) -> [Schema] {
        var schemas = shape.endpoint.parameters.map(\.schema)
        switch shape.payload {
        case .members(let object, _): schemas += object.members.values.map(\.schema)
        case .value(let schema, _): schemas.append(schema)
        case .none, .bytes, .file, .text: break
        }
        return schemas + (shape.reply.readings + [shape.failure].compactMap(\.self)).compactMap(\.schema)
    }
}

/// Which endpoints are written.
struct Filter {
    private let terms: [String]

    /// Creates a filter of paths, tags and names of operations; all endpoints if there is none.
    init(_ terms: [String]) { self.terms = terms }

    var isEmpty: Bool { terms.isEmpty }

    /// Whether one of the terms is the endpoint's name, one of its tags, or the beginning of its path by segments.
    func matches(_ endpoint: Endpoint) -> Bool {
        terms.isEmpty
            || terms.contains { term in
                let parts = term.split(separator: " ").map(String.init)
                if parts.count == 2 { return parts[0].uppercased() == endpoint.method && parts[1] == endpoint.path }
                if term.hasPrefix("/") { return endpoint.path == term || endpoint.path.hasPrefix(term + "/") }
                return term == endpoint.name || endpoint.tags.contains { $0.lowercased() == term.lowercased() }
            }
    }
}
