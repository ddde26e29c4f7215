/// Writes the file that all endpoints of an API share: its bases, the protocols of its endpoints and models, and the
/// envelope of its responses.
///
/// A base is a server with the settings that endpoints share, such as the style of lists in a query. The library's type
/// for it is `APIBase`. An envelope is an object around the content of a response, such as `{"data": …}`.
struct BaseWriter {
    let plan: Plan

    private var apiName: String { plan.options.name }

    /// Writes the declarations that all endpoints of the API share, with an empty line between them: the bases, the
    /// functions for credentials, and the protocol of endpoints.
    ///
    /// The protocol of models is written only if their decoder has settings, and the envelope only if a response has
    /// one.
    func lines() -> [String] {
        var declarations: [[String]] = []
        if !plan.endpoints.isEmpty {
            declarations = [
                bases(), CredentialWriter(plan: plan).functions(titleInSentence: titleInSentence),
                OAuthWriter(plan: plan).lines(titleInSentence: titleInSentence), requestProtocol(),
            ]
        }
        let decoderHasSettings = !plan.coding.decoderArguments.isEmpty
        if decoderHasSettings { declarations.append(modelProtocol()) }
        let hasEnvelopes = plan.endpoints.contains { $0.reply.readings.contains(where: \.isEnvelope) }
        if hasEnvelopes { declarations.append(envelope()) }
        return Lines.sections(declarations)
    }

    // MARK: - Bases

    /// Writes the extension that declares all bases:
    ///
    ///     nonisolated extension APIBase {
    ///         /// The base of the Shop API.
    ///         static let shop = APIBase("https://shop.example.com")
    ///     }
    private func bases() -> [String] {
        let serverWriter = ServerWriter(plan: plan, title: titleInSentence) { start, url in
            initializer(start, url)
        }
        var declarations = [declaration(ofBase: 0), functionForVariable()] + serverWriter.declarations()
        declarations += plan.servers.bases.indices.dropFirst().map { declaration(ofBase: $0) }
        declarations += serverWriter.supportDeclarations()
        if sharesHeaders, let headers = headersLiteral() {
            declarations.append(["private static let commonHeaders: HTTPHeaders = \(headers)"])
        }
        return ["nonisolated extension APIBase {"] + Lines.indented(Lines.sections(declarations)) + ["}"]
    }

    /// Whether several bases have the headers of all requests, which are then a constant.
    private var sharesHeaders: Bool {
        !plan.api.headers.isEmpty && plan.servers.bases.count + plan.servers.others.count > 1
    }

    /// Writes the constant for a base. Settings with the library's default values are left out:
    ///
    ///     /// The base of the Shop API.
    ///     static let shop = APIBase("https://example.com", parameterStyle: ParameterStyle(lists: .commas))
    private func declaration(ofBase index: Int) -> [String] {
        let base = plan.servers.bases[index]
        let start = "\(plan.access)static let \(SwiftName.code(base.name)) = "
        return comment(onBase: index) + initializer(start, Lines.literal(base.url))
    }

    /// Writes the function for a value of the variable in the main base, or nothing if it has none:
    ///
    ///     /// The base of the Desk API for the given account ID.
    ///     static func desk(accountID: Int) -> APIBase { desk.setting("account_id", to: accountID) }
    private func functionForVariable() -> [String] {
        guard let variable = plan.servers.variable else { return [] }
        let base = SwiftName.code(plan.servers.mainBase.name)
        let type = plan.typeName(variable.parameter.schema)
        let head = "\(plan.access)static func \(base)(\(variable.name): \(type)) -> APIBase"
        let value = "\(base).setting(\(Lines.literal(variable.parameter.name)), to: \(variable.name))"
        let comment = Lines.wrapped("The base of \(titleInSentence) for the given \(Words(variable.name).prose).")
        return Lines.comment([comment]) + Lines.property(head, value, depth: 1)
    }

    /// Writes a call of the initializer for the code of a URL, with the settings of a base.
    private func initializer(_ start: String, _ url: String) -> [String] {
        var arguments = [url]
        // The headers are those of the whole API, so all bases have the same ones.
        if let headers = headersLiteral() { arguments.append("headers: \(sharesHeaders ? "commonHeaders" : headers)") }
        if let style = parameterStyle() { arguments.append("parameterStyle: \(style)") }
        let retries = plan.usualRetries.retries
        if !retries.isEmpty { arguments.append("options: RequestOptions(retries: \(retries.code))") }
        return Lines.list("\(start)APIBase(", arguments, ")", depth: 1)
    }

    /// Writes the comment on a base. The first base is the main one: its comment also shows a client with the
    /// credentials that the API expects.
    ///
    ///     /// The base of the Shop API.
    ///     ///
    ///     /// The API expects a bearer token:
    ///     ///
    ///     /// ```swift
    ///     /// let client = URLSession.api.authorized(by: .shop(token: token), for: .shop)
    ///     /// ```
    ///
    /// Another base is for endpoints on a server of their own:
    ///
    ///     /// The base of the Shop API for endpoints on a server of their own.
    private func comment(onBase index: Int) -> [String] {
        let credentialWriter = CredentialWriter(plan: plan)
        let isMainBase = index == 0
        if isMainBase {
            var sections = [["The base of \(titleInSentence)."]]
            if plan.api.baseURL == nil { sections.append(["The description has no absolute URL: replace this one."]) }
            if let variable = plan.servers.variable {
                sections.append(Lines.wrapped("A client sets the variable of its URL with `\(variable.call)`."))
            }
            return Lines.comment(sections + credentialWriter.commentOnMainBase())
        }
        var sections = [["The base of \(titleInSentence) for endpoints on a server of their own."]]
        if let sentence = credentialWriter.sentence(onOtherBase: plan.servers.bases[index].name) {
            sections.append(Lines.wrapped(sentence))
        }
        return Lines.comment(sections)
    }

    /// The literal of the headers that all requests have, sorted by name: `["X-Version": "2"]`. Nil if there are none.
    private func headersLiteral() -> String? {
        if plan.api.headers.isEmpty { return nil }
        let sorted = plan.api.headers.sorted { $0.key < $1.key }
        let elements = sorted.map { name, value in "\(Lines.literal(name)): \(Lines.literal(value))" }
        return "[\(elements.joined(separator: ", "))]"
    }

    /// The code for the settings that all bases have for parameters: `ParameterStyle(lists: .commas)`. Nil if all of
    /// them have the library's default.
    private func parameterStyle() -> String? {
        var settings: [String] = []
        if plan.listStyles.usual != .repeated { settings.append("lists: .\(plan.listStyles.usual.rawValue)") }
        if plan.coding.datesAreNumbers { settings.append("dates: .secondsSince1970") }
        return settings.isEmpty ? nil : "ParameterStyle(\(settings.joined(separator: ", ")))"
    }

    /// The API's title with an article, as in a sentence: `the Shop API` for "Shop", "Shop API" and "The Shop API". A
    /// title that begins with a possessive has no article: `Ann's API`.
    var titleInSentence: String {
        var words = plan.api.title.split { $0.isWhitespace || $0 == "-" }.map(String.init)
        if words.first?.lowercased() == "the" { words.removeFirst() }
        if let index = words.firstIndex(where: { $0.lowercased() == "api" }) {
            words[index] = "API"
        } else {
            words.append("API")
        }
        let title = words.joined(separator: " ")
        let isPossessive = words[0].hasSuffix("'s") || words[0].hasSuffix("’s")
        return isPossessive ? title : "the \(title)"
    }

    // MARK: - Protocols

    /// Writes the protocol of the API's endpoints, and an extension that gives all of them the main base:
    ///
    ///     /// An endpoint of the Shop API.
    ///     nonisolated protocol ShopRequest: APIRequest {
    ///         associatedtype Failure = ShopError
    ///     }
    ///
    ///     nonisolated extension ShopRequest {
    ///         var base: APIBase { .shop }
    ///     }
    ///
    /// If the API has no type for failures, the protocol is empty: `nonisolated protocol ShopRequest: APIRequest {}`.
    private func requestProtocol() -> [String] {
        let head = "\(plan.endpointAccess)nonisolated protocol \(apiName)Request: APIRequest {"
        let declaration: [String]
        if let failure = plan.failure {
            declaration = [head, "    associatedtype Failure = \(plan.typeName(failure))", "}"]
        } else {
            declaration = [head + "}"]
        }
        let mainBase = SwiftName.code(plan.servers.mainBase.name)
        return [Lines.comment("An endpoint of \(titleInSentence).")] + declaration + [
            "",
            "nonisolated extension \(apiName)Request {",
            "    \(plan.endpointAccess)var base: APIBase { .\(mainBase) }",
            "}",
        ]
    }

    /// Writes the protocol of the models that are read, which gives all of them the same decoder:
    ///
    ///     /// A model of the Shop API.
    ///     nonisolated protocol ShopModel: JSONResponse {}
    ///
    ///     nonisolated extension ShopModel {
    ///         static var decoder: JSONReader { JSONReader(keys: .convertFromSnakeCase) }
    ///     }
    private func modelProtocol() -> [String] {
        let head = [
            Lines.comment("A model of \(titleInSentence)."),
            "\(plan.access)nonisolated protocol \(apiName)Model: JSONResponse {}",
            "",
            "nonisolated extension \(apiName)Model {",
        ]
        let decoder = "JSONReader(\(plan.coding.decoderArguments.joined(separator: ", ")))"
        let property = Lines.property("\(plan.access)static var decoder: JSONReader", decoder, depth: 1)
        return head + Lines.indented(property) + ["}"]
    }

    /// Writes the generic envelope, which many endpoints share: the content of their responses is in the same member,
    /// such as `data`.
    ///
    ///     /// The object around the content of a response.
    ///     nonisolated struct ShopEnvelope<Content: Decodable & Sendable>: JSONEnvelope {
    ///         let data: Content
    ///         var content: Content { data }
    ///     }
    private func envelope() -> [String] {
        // The envelope is only written if responses have one, so there is always a member.
        let member = SwiftName.code(plan.envelopeMember ?? "")
        let access = plan.endpointAccess
        return [
            Lines.comment("The object around the content of a response."),
            "\(access)nonisolated struct \(apiName)Envelope<Content: Decodable & Sendable>: JSONEnvelope {",
            "    \(access)let \(member): Content",
            "    \(access)var content: Content { \(member) }",
            "}",
        ]
    }
}
