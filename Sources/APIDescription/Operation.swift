import APIKitCore
import APIKitTesting
import OpenAPIRules

/// An operation of a description: a method on a path.
struct Operation: Sendable {
    let definition: Definition
    /// The method in upper case.
    let method: String
    /// The path, without the query that some descriptions append to it.
    let path: String
    /// The parameters of the operation, with those that it inherits from its path.
    let parameters: [Parameter]
    /// The names of query items and headers that are described, but not as parameters: those in the query of the path,
    /// and those that send credentials.
    let otherItems: Set<String>
    /// The list of servers. If there is none, it is the root of the description, which has no elements; problems then
    /// point at the root.
    let servers: Definition
    /// The URLs of the operation, one for each server.
    private let templates: [Template]

    var name: String { "\(method) \(path)" }

    /// Reads the operations of a path.
    static func all(of item: Definition, path: String, root: Definition) -> [Operation] {
        let key = PathKey(path)
        var operations: [Operation] = []
        for method in PathKey.methods {
            guard let definition = item[method] else { continue }
            operations.append(Operation(definition, method: method, key: key, of: item, root: root))
        }
        return operations
    }

    /// Creates an operation with what it inherits: parameters from its path, and servers from its path or the root.
    private init(_ definition: Definition, method: String, key: PathKey, of item: Definition, root: Definition) {
        self.definition = definition
        self.method = method.uppercased()
        path = key.path
        parameters = Self.parameters(of: definition, in: item)
        otherItems = Self.credentialNames(in: root).union(key.query.map(\.name))
        // Without any servers, this is the root: it has a pointer for problems, and no elements.
        servers = definition["servers"] ?? item["servers"] ?? root["servers"] ?? root
        templates = Self.templates(of: servers, path: key.path)
    }

    /// The parameters of an operation. It inherits its path's parameters, unless it describes them itself.
    private static func parameters(of definition: Definition, in item: Definition) -> [Parameter] {
        var parameters: [Parameter] = []
        var keys: Set<ParameterKey> = []
        // The operation's own parameters come first, so that they take precedence.
        for described in definition.list("parameters") + item.list("parameters") {
            guard let parameter = Parameter(described) else { continue }
            let isNew = keys.insert(parameter.key).inserted
            if isNew { parameters.append(parameter) }
        }
        return parameters
    }

    /// The names of the query items and headers that send credentials: the names in the security schemes, such as
    /// `api_key`.
    private static func credentialNames(in root: Definition) -> Set<String> {
        let schemes = root["components"]?["securitySchemes"]?.members ?? []
        return Set(schemes.compactMap { $0.definition["name"]?.string })
    }

    // MARK: - Matching

    /// A template for the URL of an operation on one server.
    private struct Template {
        /// The origin of the server. If the server has a relative URL, any origin matches.
        let origin: PathTemplate
        /// The path of the server, followed by the operation's path.
        let path: PathTemplate
    }

    /// Creates a template for each server. Without a server, the operation has any origin, and its path alone.
    private static func templates(of servers: Definition, path: String) -> [Template] {
        var urls = servers.elements.compactMap { $0["url"]?.string }
        if urls.isEmpty { urls = [""] }
        return urls.map { url in
            let base = url.hasSuffix("/") ? url.dropLast() : url[...]
            let server = PathTemplate.split(base)
            // A relative URL such as `/v1` has no origin: any origin matches.
            let origin = server.origin.isEmpty ? "{any}" : server.origin
            return Template(origin: PathTemplate(origin), path: PathTemplate(server.path + path))
        }
    }

    /// A match between the URL of a request and an operation.
    struct Match {
        let operation: Operation
        /// The values in the path.
        let values: [PathTemplate.Value]
        /// Whether the origin is a server's origin in the description.
        let hasServer: Bool
        /// Whether a value contains slashes. An operation whose own path has these slashes is preferred.
        let crossesSlashes: Bool
        /// The length of the literal text in the path. A longer one is preferred, so that `/users/me` is not taken for
        /// `/users/{id}`.
        let literalCount: Int

        /// Whether another match is preferred to this one.
        func isWorse(than other: Match) -> Bool {
            if hasServer != other.hasServer { return other.hasServer }
            if crossesSlashes != other.crossesSlashes { return crossesSlashes }
            return literalCount < other.literalCount
        }
    }

    /// Matches a URL with the operation.
    ///
    /// - Parameters:
    ///   - url: The URL in its normal form, without its query.
    ///   - slashesInValues: How many slashes the endpoint's values for the path contain: 1 for the file `a/b`, and 0 if
    ///     the endpoint is not known.
    /// - Returns: The best match; nil if there is none.
    func match(_ url: String, slashesInValues: Int) -> Match? {
        let (origin, path) = PathTemplate.split(url[...])
        let matches = templates.compactMap { match($0, origin, path, slashesInValues: slashesInValues) }
        return matches.max { $0.isWorse(than: $1) }
    }

    /// Matches the origin and the path of a URL with a template: `/files/a` matches `/files/{path}`.
    ///
    /// A value may only contain slashes, such as `a/b` for `{path}`, if the path does not match otherwise. A URL with
    /// another origin is also a match, but ``Match/hasServer`` is false then.
    ///
    /// - Parameters:
    ///   - template: The template.
    ///   - origin: The origin of the URL.
    ///   - path: The path of the URL.
    ///   - slashesInValues: How many slashes the endpoint's values for the path contain.
    /// - Returns: The match; nil if the path does not match.
    private func match(
        _ template: Template, _ origin: Substring, _ path: Substring, slashesInValues: Int
    ) -> Match? {
        if let values = template.path.values(in: path) {
            return match(template, origin, values, crossesSlashes: false)
        }
        guard mayHoldSlashes(path, template, slashesInValues: slashesInValues) else { return nil }
        guard let values = template.path.values(in: path, crossesSlashes: true) else { return nil }
        return match(template, origin, values, crossesSlashes: true)
    }

    /// Creates the match for the values that a template has found in a path.
    private func match(
        _ template: Template, _ origin: Substring, _ values: [PathTemplate.Value], crossesSlashes: Bool
    ) -> Match {
        Match(
            operation: self,
            values: values,
            hasServer: template.origin.matches(origin),
            crossesSlashes: crossesSlashes,
            literalCount: template.path.literalCount)
    }

    /// Whether values of a path may contain slashes.
    ///
    /// They may if the description says so. They also may if the endpoint's own values contain slashes, and all other
    /// slashes of the path are in the template: `/files/a/b` has two slashes after the first one. With the value `a/b`,
    /// the other slash is the one in `/files/{path}`.
    private func mayHoldSlashes(_ path: Substring, _ template: Template, slashesInValues: Int) -> Bool {
        let valuesInPath = parameters.filter { $0.key.location == .path }
        let isDescribed = valuesInPath.contains { $0.field.definition.isTrue("x-multi-segment") }
        if isDescribed { return true }
        let ownSlashes = path.slashCount - slashesInValues
        return slashesInValues > 0 && ownSlashes == template.path.slashCount
    }
}
