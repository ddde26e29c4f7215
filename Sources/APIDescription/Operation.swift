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
    /// The origin of each server, which is any for a relative URL, and its path with that of the operation.
    private let templates: [(origin: PathTemplate, path: PathTemplate)]

    var name: String { "\(method) \(path)" }

    /// The operations of a path.
    static func all(of item: Node, path: String, root: Node) -> [Operation] {
        ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"].compactMap { method in
            item[method].map { Operation($0, method: method, path: path, of: item, root: root) }
        }
    }

    private init(_ node: Node, method: String, path: String, of item: Node, root: Node) {
        (self.node, self.method) = (node, method.uppercased())
        let path = path.prefix { $0 != "#" }
        let (ownPath, query) = (path.prefix { $0 != "?" }, path.drop { $0 != "?" }.dropFirst())
        self.path = String(ownPath)
        let parameters = (node.list("parameters") + item.list("parameters")).compactMap(Parameter.init)
        // Those of the operation come first.
        var keys: Set<[String]> = []
        self.parameters = parameters.filter { keys.insert($0.key).inserted }
        let credentials = root["components"]?["securitySchemes"]?.members.compactMap { $0.node["name"]?.string } ?? []
        otherItems = Set(credentials + Parameter.items(String(query)).map(\.name))
        servers = [node["servers"], item["servers"], root["servers"]].compactMap(\.self).first ?? root
        let urls = servers.elements.compactMap { $0["url"]?.string }
        templates = (urls.isEmpty ? [""] : urls).map { url in
            let server = PathTemplate.split(url.hasSuffix("/") ? url.dropLast() : url[...])
            return (PathTemplate(server.origin.isEmpty ? "{any}" : server.origin), PathTemplate(server.path + ownPath))
        }
    }

    /// How the URL of a request fits an operation.
    struct Match {
        let operation: Operation
        let values: [PathTemplate.Value]
        let hasServer: Bool
        /// Matches with more are nearer.
        let rank: Int
    }

    /// How a URL in its normal form fits, without its query and with so many slashes in the values of its path; nil if
    /// it does not.
    func match(_ url: String, slashesInValues: Int) -> Match? {
        let (origin, path) = PathTemplate.split(url[...])
        let holdsSlashes = parameters.contains { $0.location == "path" && $0.node.isTrue("x-multi-segment") }
        let matches = templates.compactMap { template -> Match? in
            let slashes = path.slashCount - slashesInValues
            let mayCross = holdsSlashes || slashesInValues > 0 && slashes == template.path.slashCount
            let own = template.path.values(in: path)
            guard let values = own ?? (mayCross ? template.path.values(in: path, crossesSlashes: true) : nil) else {
                return nil
            }
            let hasServer = template.origin.values(in: origin, crossesSlashes: true) != nil
            let rank = template.path.literalCount + (hasServer ? 2_000_000 : 0) + (own == nil ? 0 : 1_000_000)
            return Match(operation: self, values: values, hasServer: hasServer, rank: rank)
        }
        return matches.max { $0.rank < $1.rank }
    }
}
