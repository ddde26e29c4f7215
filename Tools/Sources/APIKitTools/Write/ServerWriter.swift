/// Writes the bases of the API's servers, and functions for servers with variables.
struct ServerWriter {
    let plan: Plan
    /// The API's title as in a sentence, such as `the Shop API`.
    let title: String
    /// Writes a call of the initializer of `APIBase` for the code of a URL, with the settings of the API. It may have
    /// several lines, the first of which begins with a text.
    let initializer: (_ start: String, _ url: String) -> [String]

    /// The declarations in the extension of `APIBase`: a constant for each server, and a function for each one with
    /// variables.
    func declarations() -> [[String]] {
        var declarations: [[String]] = []
        for server in plan.servers.others {
            if server.needsConstant { declarations.append(constant(for: server)) }
            if !server.parameters.isEmpty { declarations.append(function(for: server)) }
        }
        return declarations
    }

    /// The declarations that the functions use: the enums of variables, and the check of texts.
    func supportDeclarations() -> [[String]] {
        let enums = plan.servers.enums.map(declaration)
        return needsCheck ? enums + [check()] : enums
    }

    // MARK: - Constants

    /// Writes the constant for a server that is not the main one:
    ///
    ///     /// The base of the Shop API on another server: Sandbox.
    ///     static let shopSandbox = APIBase("https://sandbox.shop.example.com")
    private func constant(for shape: ServerShape) -> [String] {
        let name = SwiftName.code(shape.name)
        var sentence = "The base of \(title) on another server"
        if let description = Self.summary(of: shape.server) { sentence += ": \(description)" }
        let summary = Lines.wrapped("\(sentence).")
        let start = "\(plan.access)static let \(name) = "
        return Lines.comment([summary, example(of: ".\(name)")])
            + initializer(start, Lines.literal(shape.server.url))
    }

    /// The first sentence of a server's description, or all of it if it has no sentence, without a dot at its end. Nil
    /// if it has more than 60 characters: it becomes the end of another sentence.
    private static func summary(of server: Server) -> String? {
        guard let description = server.documentation?.trimmed, !description.isEmpty else { return nil }
        let sentence = Documentation.summaryText(description) ?? description
        if sentence.count > 60 { return nil }
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }

    /// An example of a client for a server, as code in a comment.
    private func example(of base: String) -> [String] {
        let call = ".based(at: \(base), insteadOf: .\(SwiftName.code(plan.servers.mainBase.name)))"
        let client = CredentialWriter(plan: plan).client(after: [call]) ?? CredentialWriter.client([call])
        return CredentialWriter.snippet(client)
    }

    // MARK: - Functions

    /// Writes the function for the values of a server's variables:
    ///
    ///     /// The base of the Shop API for the given region.
    ///     static func shop(region: ShopRegion = .eu) -> APIBase {
    ///         APIBase("https://\(region.rawValue).shop.example.com")
    ///     }
    ///
    /// A text is checked first: `let tenant = checked(tenant, signs: "-.", else: "{tenant}")`.
    private func function(for shape: ServerShape) -> [String] {
        let parameters = differentParameters(of: shape)
        let texts = parameters.filter { $0.enumIndex == nil }
        let name = SwiftName.code(shape.name)
        let declarations = parameters.map { declaration(of: $0) }
        let head = Lines.list("\(plan.access)static func \(name)(", declarations, ") -> APIBase {", depth: 1)
        let checks = texts.map { "let \($0.name) = \(Self.check(of: $0))" }
        let result = initializer(checks.isEmpty ? "" : "return ", url(of: shape))
        return comment(onFunction: name, parameters) + head + Lines.indented(checks + result) + ["}"]
    }

    /// Writes the comment on the function of a server: what its parameters are, what happens if a text has characters
    /// that its part of the URL may not have, and an example of a client.
    private func comment(onFunction name: String, _ parameters: [ServerShape.Parameter]) -> [String] {
        let words = parameters.map { Words($0.name).prose }.joined(separator: " and ")
        var sections = [Lines.wrapped("The base of \(title) for the given \(words).")]
        let texts = parameters.filter { $0.enumIndex == nil }
        if !texts.isEmpty {
            let names = texts.map { "`\($0.name)`" }.joined(separator: " or ")
            let mayBeEmpty = texts.contains { $0.variable.defaultValue?.isEmpty == true }
            let characters = "contains characters that would change other parts of the URL"
            let cause = mayBeEmpty ? "If \(names) \(characters)" : "If \(names) is empty, or \(characters)"
            sections.append(Lines.wrapped("\(cause), each request throws a `RequestError` with the code `baseURL`."))
        }
        let arguments = parameters.map { "\($0.name): \(exampleValue(for: $0))" }
        sections.append(example(of: ".\(name)(\(arguments.joined(separator: ", ")))"))
        return Lines.comment(sections)
    }

    /// The parameters of a server's function in the order of the URL. A variable that appears twice in the URL has one
    /// parameter.
    private func differentParameters(of shape: ServerShape) -> [ServerShape.Parameter] {
        var names: Set<String> = []
        var different: [ServerShape.Parameter] = []
        for (_, parameter) in shape.parameters.sorted(by: { $0.key < $1.key }) {
            let isNew = names.insert(parameter.name).inserted
            if isNew { different.append(parameter) }
        }
        return different
    }

    /// The declaration of a parameter: `region: ShopRegion = .eu`, or `tenant: String = "demo"`.
    private func declaration(of parameter: ServerShape.Parameter) -> String {
        guard let index = parameter.enumIndex else {
            let start = "\(parameter.name): String"
            guard let defaultValue = parameter.variable.defaultValue else { return start }
            return "\(start) = \(Lines.literal(defaultValue))"
        }
        let type = plan.servers.enums[index]
        let start = "\(parameter.name): \(type.name)"
        // OpenAPI requires the default value to be one of the values.
        guard let position = type.values.firstIndex(of: parameter.variable.defaultValue ?? "") else { return start }
        return "\(start) = \(cases(of: type).reference(at: position))"
    }

    /// The value of a parameter in an example: another one than the default, such as `.us`, or a variable for a text,
    /// such as `tenant`.
    private func exampleValue(for parameter: ServerShape.Parameter) -> String {
        guard let index = parameter.enumIndex else { return parameter.name }
        let type = plan.servers.enums[index]
        let position = type.values.firstIndex { $0 != parameter.variable.defaultValue } ?? 0
        return cases(of: type).reference(at: position)
    }

    /// The URL of a server as a literal in which the parameters are interpolated:
    /// `"https://\(region.rawValue).shop.example.com"`. A variable without a parameter has its default value.
    private func url(of shape: ServerShape) -> String {
        var code = ""
        for (position, part) in shape.server.parts.enumerated() {
            switch part {
            case .text(let text):
                code += Lines.literalContent(text)
            case .variable(let variable):
                if let parameter = shape.parameters[position] {
                    let isEnum = parameter.enumIndex != nil
                    code += "\\(\(parameter.name)\(isEnum ? ".rawValue" : ""))"
                } else {
                    code += Lines.literalContent(variable.defaultValue ?? "{\(variable.name)}")
                }
            }
        }
        return "\"\(code)\""
    }

    /// The code that checks the text of a parameter. It may be empty if its default value is.
    private static func check(of parameter: ServerShape.Parameter) -> String {
        let placeholder = Lines.literal("{\(parameter.variable.name)}")
        let check = "checked(\(parameter.name), signs: \(Lines.literal(parameter.signs)), else: \(placeholder))"
        let mayBeEmpty = parameter.variable.defaultValue?.isEmpty == true
        return mayBeEmpty ? "\(parameter.name).isEmpty ? \"\" : \(check)" : check
    }

    // MARK: - Enums

    /// Writes the enum of the values of a variable:
    ///
    ///     /// A value of `region`.
    ///     enum ShopRegion: String, CaseIterable, Sendable {
    ///         case eu, us
    ///     }
    private func declaration(of type: ServerEnum) -> [String] {
        let names = cases(of: type)
        let codes = type.values.indices.map { names.code(at: $0, value: type.values[$0]) }
        let words = Words(type.name).words.dropFirst(Words(plan.options.name).words.count)
        return [
            Lines.comment("A value of the \(Words(words: Array(words)).prose) in the URL of a server."),
            "\(plan.access)enum \(type.name): String, CaseIterable, Sendable {",
        ] + Lines.indented(Lines.cases(codes, depth: 2)) + ["}"]
    }

    private func cases(of type: ServerEnum) -> EnumCases { EnumCases(type.values) }

    // MARK: - The check

    /// Whether a function has a text, which is checked.
    private var needsCheck: Bool {
        plan.servers.others.contains { server in server.parameters.values.contains { $0.enumIndex == nil } }
    }

    /// Writes the function that checks texts in the URLs of servers. A text with a sign that is not allowed is replaced
    /// by a placeholder in braces, which no URL may contain, so that no request is sent.
    private func check() -> [String] {
        [
            Lines.comment("Returns a part of a URL if it has only letters and digits of ASCII, and the given signs."),
            Lines.comment("Otherwise, or if it is empty, returns a placeholder in braces, with which no URL is valid."),
            "private static func checked(_ part: String, signs: String, else placeholder: String) -> String {",
            "    let isAllowed = part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || signs.contains($0)) }",
            "    return isAllowed && !part.isEmpty ? part : placeholder",
            "}",
        ]
    }
}
