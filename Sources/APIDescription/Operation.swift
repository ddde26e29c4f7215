import APIKitCore
import APIKitTesting

/// An operation of a description.
struct Operation: Sendable {
    let node: Node
    let method: String
    /// The path, without a query that some descriptions have there.
    let path: String
    let parameters: [Parameter]
    /// The names of query items that are no parameters: in the path, and of credentials.
    let otherItems: Set<String>
    /// The servers, or what could have named them.
    let servers: Node
    private let templates: [Template]

    var name: String { "\(method) \(path)" }

    /// The operations of a path.
    static func all(of item: Node, path: String, root: Node) -> [Operation] {
        ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"].compactMap { method in
            item[method].map { Operation($0, method: method, path: path, of: item, root: root) }
        }
    }

    private init(_ node: Node, method: String, path: String, of item: Node, root: Node) {
        let pathAndQuery = path.prefix { $0 != "#" }
        let ownPath = String(pathAndQuery.prefix { $0 != "?" })
        let query = pathAndQuery.dropFirst(ownPath.count + 1)

        self.node = node
        self.method = method.uppercased()
        self.path = ownPath
        parameters = Self.parameters(of: node, in: item)
        otherItems = Self.credentials(of: root).union(Parameter.items(String(query)).map(\.name))
        servers = node["servers"] ?? item["servers"] ?? root["servers"] ?? root
        templates = Self.templates(of: servers, path: ownPath)
    }

    /// The parameters of an operation, and those of all operations of its path that it does not replace.
    private static func parameters(of node: Node, in item: Node) -> [Parameter] {
        let all = node.list("parameters") + item.list("parameters")
        var keys: Set<[String]> = []
        return all.compactMap(Parameter.init).filter { keys.insert($0.key).inserted }
    }

    /// The names under which credentials are sent.
    private static func credentials(of root: Node) -> Set<String> {
        let schemes = root["components"]?["securitySchemes"]?.members ?? []
        return Set(schemes.compactMap { $0.node["name"]?.string })
    }

    // MARK: - Matching

    /// What the URL of an operation looks like on one server.
    private struct Template {
        /// The origin of the server, which is any for a relative URL.
        let origin: PathTemplate
        /// The path of the server with that of the operation.
        let path: PathTemplate
    }

    private static func templates(of servers: Node, path: String) -> [Template] {
        var urls = servers.elements.compactMap { $0["url"]?.string }
        if urls.isEmpty { urls = [""] }
        return urls.map { url in
            let base = url.hasSuffix("/") ? url.dropLast() : url[...]
            let server = PathTemplate.split(base)
            let origin = server.origin.isEmpty ? "{any}" : server.origin
            return Template(origin: PathTemplate(origin), path: PathTemplate(server.path + path))
        }
    }

    /// How the URL of a request fits an operation.
    struct Match {
        let operation: Operation
        let values: [PathTemplate.Value]
        let hasServer: Bool
        /// Whether values hold slashes, which belong to the path of another operation first.
        let crossesSlashes: Bool
        /// How much of the path is literal text.
        let literalCount: Int

        /// Whether this match is farther from the request than another one.
        func isWorse(than other: Match) -> Bool {
            if hasServer != other.hasServer { return other.hasServer }
            if crossesSlashes != other.crossesSlashes { return crossesSlashes }
            return literalCount < other.literalCount
        }
    }

    /// How a URL in its normal form, without its query, fits an operation. Of its slashes, so many belong to values.
    ///
    /// - Returns: The best match; nil if there is none.
    func match(_ url: String, slashesInValues: Int) -> Match? {
        let (origin, path) = PathTemplate.split(url[...])
        let matches = templates.compactMap { match($0, origin, path, slashesInValues: slashesInValues) }
        return matches.max { $0.isWorse(than: $1) }
    }

    private func match(
        _ template: Template, _ origin: Substring, _ path: Substring, slashesInValues: Int
    ) -> Match? {
        let simpleValues = template.path.values(in: path)
        var values = simpleValues
        if values == nil, mayHoldSlashes(path, template, slashesInValues: slashesInValues) {
            values = template.path.values(in: path, crossesSlashes: true)
        }
        guard let values else { return nil }
        return Match(
            operation: self,
            values: values,
            hasServer: template.origin.values(in: origin, crossesSlashes: true) != nil,
            crossesSlashes: simpleValues == nil,
            literalCount: template.path.literalCount)
    }

    /// Whether values of a path may hold slashes: the description says so, or the endpoint has such values, and all
    /// other slashes are those of the template.
    private func mayHoldSlashes(_ path: Substring, _ template: Template, slashesInValues: Int) -> Bool {
        let isDescribed = parameters.contains { $0.location == "path" && $0.node.isTrue("x-multi-segment") }
        if isDescribed { return true }
        let ownSlashes = path.slashCount - slashesInValues
        return slashesInValues > 0 && ownSlashes == template.path.slashCount
    }
}
