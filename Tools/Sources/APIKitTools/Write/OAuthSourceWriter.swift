/// Writes the functions that create sources of tokens, in a file of its own: only a target with APIKitOAuth can contain
/// it.
struct OAuthSourceWriter {
    let plan: Plan
    /// The API's title, as in a sentence.
    let title: String

    private var constants: OAuthWriter { OAuthWriter(plan: plan) }
    /// Whether the scopes are an enum.
    private var hasOwnScopes: Bool { !constants.scopeNames.isEmpty }

    /// The path of the file.
    var path: String { "\(plan.options.name)OAuthSource.swift" }

    /// Writes the extension with a function for each source, or nothing if there is none:
    ///
    ///     nonisolated extension OAuth {
    ///         /// A source of tokens for the Shop API.
    ///         static func shop(clientID: String, scopes: [ShopOAuth.Scope] = [], flow: OAuthFlow) -> OAuth {
    ///             OAuth(endpoints: …)
    ///         }
    ///     }
    func lines() -> [String] {
        if plan.security.oauthSources.isEmpty { return [] }
        let functions = plan.security.oauthSources.map { comment(on: $0) + function(for: $0) }
        return ["nonisolated extension OAuth {"] + Lines.indented(Lines.sections(functions)) + ["}"]
    }

    /// The imports of the file, which are public if the functions are.
    func imports() -> [String] { ["\(plan.access)import APIKit", "\(plan.access)import APIKitOAuth"] }

    // MARK: - Functions

    /// Writes the function for a source. It has the parameters of `OAuth`'s initializers, with the API's own scopes.
    private func function(for source: OAuthSource) -> [String] {
        let start = "\(plan.access)static func \(SwiftName.code(source.name))("
        let body = call(server(of: source), arguments(for: source))
        return Lines.list(start, parameters(of: source), ") -> OAuth {", depth: 1) + Lines.indented(body) + ["}"]
    }

    /// The parameters of the function for a source. A source for programs, which sign in as themselves, needs no flow
    /// that signs a user in.
    private func parameters(of source: OAuthSource) -> [String] {
        var parameters = ["clientID: String"]
        // A program without a user has to authenticate itself, so it has no default.
        if source.isForPrograms {
            parameters.append("authentication: ClientAuthentication")
        } else {
            parameters.append("authentication: ClientAuthentication = .none")
        }
        if hasOwnScopes {
            parameters += ["scopes: [\(plan.options.name)OAuth.Scope] = []", "otherScopes: [String] = []"]
        } else {
            parameters.append("scopes: [String] = []")
        }
        parameters += ["resource: String? = nil", "store: some TokenStore = .memory"]
        if !source.isForPrograms { parameters += ["flow: OAuthFlow", "signsInAutomatically: Bool = true"] }
        return parameters + ["client: any APIClient = URLSession.api"]
    }

    /// The arguments of the initializer after the first one.
    private func arguments(for source: OAuthSource) -> [String] {
        let scopes = hasOwnScopes ? "scopes.map(\\.rawValue) + otherScopes" : "scopes"
        var arguments = [
            "clientID: clientID", "authentication: authentication", "scopes: \(scopes)", "resource: resource",
            "store: store",
        ]
        if source.isForPrograms {
            arguments.append("flow: .clientCredentials")
        } else {
            arguments += ["flow: flow", "signsInAutomatically: signsInAutomatically"]
        }
        return arguments + ["client: client"]
    }

    /// Writes the call of an initializer of `OAuth`, with each argument in a line of its own. The first one may have
    /// several lines.
    private func call(_ server: [String], _ others: [String]) -> [String] {
        var lines = server
        for other in others {
            lines[lines.count - 1] += ","
            lines.append(other)
        }
        return ["OAuth("] + Lines.indented(lines) + [")"]
    }

    /// The argument that names the authorization server: `issuer: "https://login.example.com"`, or the constants of its
    /// URLs.
    private func server(of source: OAuthSource) -> [String] {
        switch source.server {
        case .issuer(let issuer): return ["issuer: \(Lines.literal(issuer))"]
        case .urls(let urls):
            var arguments: [String] = []
            if let url = urls.authorization {
                arguments.append("authorization: \(constants.constant(url, in: "authorizationUrl"))")
            }
            arguments.append("token: \(constants.constant(urls.token, in: "tokenUrl"))")
            if let url = urls.deviceAuthorization {
                arguments.append("deviceAuthorization: \(constants.constant(url, in: "deviceAuthorizationUrl"))")
            }
            // In the body of the function, the argument has a line of its own.
            return Lines.list("endpoints: OAuthEndpoints(", arguments, ")", depth: 3)
        }
    }

    // MARK: - Comments

    /// The comment on the function for a source: how it signs in, and what it looks like in a program.
    private func comment(on source: OAuthSource) -> [String] {
        var sections = [Lines.wrapped("A source of tokens for \(title), which obtains, keeps and renews them.")]
        let isOnlyOne = plan.security.oauthSources.count == 1
        if !isOnlyOne { sections.append(Lines.wrapped("The description calls it \(source.schemes[0]).")) }
        sections.append(Lines.wrapped(sentenceOnFlows(of: source)))
        sections.append(CredentialWriter.snippet(example(of: source)))
        if hasOwnScopes { sections.append(Lines.wrapped(sentenceOnOtherScopes(of: source))) }
        return Lines.comment(sections)
    }

    /// A sentence about the flows of a source, the ways in which it signs in. It names the flows of the description
    /// that are not secure, which the source does not have.
    private func sentenceOnFlows(of source: OAuthSource) -> String {
        if case .issuer = source.server {
            return "The server's metadata says which flows it supports. If the issuer in it ends with a slash, add "
                + "one here, too."
        }
        if source.isForPrograms {
            return "The program signs in as itself, without a user (client credentials)."
        }
        let flows = source.flows.map { "`\($0.code)`" }
        let noun = flows.count == 1 ? "flow" : "flows"
        var sentence = "The description has the URLs for the \(noun) \(CredentialWriter.list(flows))."
        let allFlows = source.schemes.compactMap { plan.security.schemes[$0] }.flatMap(\.flows)
        let insecure = Set(allFlows.filter(\.isInsecure).map(\.name)).sorted()
        if !insecure.isEmpty {
            let names = CredentialWriter.list(insecure.map { "`\($0)`" })
            let verb = insecure.count == 1 ? "which is" : "which are"
            sentence += " Use them in place of \(names), \(verb) not secure (RFC 9700)."
        }
        return sentence
    }

    /// A sentence about the parameter for scopes that the enum does not have.
    private func sentenceOnOtherScopes(of source: OAuthSource) -> String {
        let start = "`otherScopes` are scopes that the description does not name"
        let needsNoExample = source.isForPrograms || constants.scopeNames.contains("offline_access")
        if needsNoExample { return "\(start)." }
        return "\(start), such as `offline_access`, with which many servers issue refresh tokens."
    }

    /// The code that creates a source, and a client that uses it.
    private func example(of source: OAuthSource) -> [String] {
        var arguments = ["clientID: \"my-app\""]
        if source.isForPrograms { arguments.append("authentication: .basic(secret: secret)") }
        if let scope = constants.exampleOfScope { arguments.append("scopes: [\(scope)]") }
        if !source.isForPrograms { arguments.append("flow: \(Self.exampleOfFlow(source.flows))") }
        let start = "let account = OAuth.\(SwiftName.code(source.name))("
        let list = arguments.joined(separator: ", ")
        let oneLine = "\(start)\(list))"
        let names = CredentialWriter(plan: plan).basesOfUsualCredentials
        let bases = names.map { ".\(SwiftName.code($0))" }.joined(separator: ", ")
        let account = Lines.fits(oneLine, 2) ? [oneLine] : [start, "    \(list))"]
        return account + CredentialWriter.client([".authorized(by: account, for: \(bases))"])
    }

    /// A flow in an example: a browser if the server has a page for the user.
    private static func exampleOfFlow(_ flows: [OAuthSource.Flow]) -> String {
        let hasPage = flows.isEmpty || flows.contains(.authorizationCode)
        if hasPage { return ".authorizationCode(present: .browser)" }
        return ".deviceCode { print($0.verificationURL, $0.userCode) }"
    }
}

extension OAuthSource {
    /// The function as a comment names it: `OAuth.shop(clientID:flow:)`.
    var reference: String { "`OAuth.\(name)(\(isForPrograms ? "clientID:authentication:" : "clientID:flow:"))`" }
}
