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
    /// The servers' URLs, and their paths, each with that of the operation.
    private let templates: [(template: PathTemplate, isURL: Bool, hasServer: Bool)]
    /// The servers, or what could have named them.
    let servers: Node

    var name: String { "\(method) \(path)" }

    /// The operations of a path.
    static func all(of item: Node, path: String, root: Node) -> [Operation] {
        ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"].compactMap { method in
            item[method].map { Operation($0, method: method, path: path, of: item, root: root) }
        }
    }

    private init(_ node: Node, method: String, path: String, of item: Node, root: Node) {
        self.node = node
        self.method = method.uppercased()
        let parts = path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let ownPath = String(parts.first ?? "")
        self.path = ownPath
        let own = node.list("parameters").compactMap { Parameter($0.resolved) }
        let shared = item.list("parameters").compactMap { Parameter($0.resolved) }
        parameters = own + shared.filter { parameter in !own.contains { $0.key == parameter.key } }
        let credentials = root["components"]?["securitySchemes"]?.members.compactMap {
            $0.node.resolved["name"]?.string
        }
        let items = parts.dropFirst().flatMap { $0.split(separator: "&").map { String($0.prefix { $0 != "=" }) } }
        otherItems = Set((credentials ?? []) + items)
        servers = node["servers"] ?? item["servers"] ?? root["servers"] ?? root
        let urls = servers.elements.map { $0["url"]?.string ?? "/" }.map {
            $0.hasSuffix("/") ? String($0.dropLast()) : $0
        }
        // Relative URLs are those of any server.
        let isRelative = urls.allSatisfy { $0.isEmpty || $0.hasPrefix("/") }
        let paths = (urls.isEmpty ? [""] : urls).map { url in
            url.firstRange(of: "://").map { String(url[$0.upperBound...].drop { $0 != "/" }) } ?? url
        }
        templates =
            (isRelative ? [] : urls.map { (PathTemplate($0 + ownPath), true, true) })
            + paths.map { (PathTemplate($0 + ownPath), false, isRelative) }
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
        let path = url.firstRange(of: "://").map { String(url[$0.upperBound...].drop { $0 != "/" }) } ?? url
        let holdsSlashes = parameters.contains { $0.location == "path" && $0.node.isTrue("x-multi-segment") }
        for crossesSlashes in [false, true] {
            for (template, isURL, hasServer) in templates {
                let text = isURL ? url : path
                let slashes = text.utf8.count { $0 == UInt8(ascii: "/") } - slashesInValues
                let mayCross = holdsSlashes || slashesInValues > 0 && slashes == template.slashCount
                guard !crossesSlashes || mayCross,
                    let values = template.values(in: text, crossesSlashes: crossesSlashes)
                else { continue }
                let rank = template.literalCount + (hasServer ? 2_000_000 : 0) + (crossesSlashes ? 0 : 1_000_000)
                return Match(operation: self, values: values, hasServer: hasServer, rank: rank)
            }
        }
        return nil
    }
}
