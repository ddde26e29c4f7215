import APIKitCore
import APIKitTesting

/// An operation of a description.
struct Operation: Sendable {
    static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

    let node: Node
    let method: String
    /// The path, without a query that some descriptions have there.
    let path: String
    /// The names of the items in that query.
    let constantItems: [String]
    let parameters: [Parameter]
    /// The URLs of the servers with the path.
    private let urls: [PathTemplate]
    /// The paths of the servers with the path.
    private let paths: [PathTemplate]

    var name: String { "\(method) \(path)" }

    init(_ node: Node, method: String, path: String, of item: Node, root: Node) {
        self.node = node
        self.method = method.uppercased()
        let parts = path.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let ownPath = parts.first.map(String.init) ?? ""
        self.path = ownPath
        constantItems = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { String($0.prefix { $0 != "=" }) }
        let own = (node["parameters"]?.elements ?? []).compactMap { Parameter($0.resolved) }
        let shared = (item["parameters"]?.elements ?? []).compactMap { Parameter($0.resolved) }
        parameters = own + shared.filter { parameter in !own.contains { $0.key == parameter.key } }
        let servers = (node["servers"] ?? item["servers"] ?? root["servers"])?.elements ?? []
        let roots = servers.map { server in
            var text = server["url"]?.string ?? "/"
            while text.hasSuffix("/") { text.removeLast() }
            return text
        }
        urls = roots.filter { !$0.hasPrefix("/") && !$0.isEmpty }.map { PathTemplate($0 + ownPath) }
        paths = (roots.isEmpty ? [""] : roots).map { text in
            guard let scheme = text.firstRange(of: "://") else { return PathTemplate(text + ownPath) }
            return PathTemplate(String(text[scheme.upperBound...].drop { $0 != "/" }) + ownPath)
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

    /// How a URL fits; nil if it does not.
    ///
    /// - Parameters:
    ///   - url: The URL without its query.
    ///   - path: Its path.
    ///   - slashCount: How many slashes of the path do not belong to values; nil if that is unknown.
    func match(url: String, path: String, slashCount: Int?) -> Match? {
        let holdsSlashes = parameters.contains { $0.location == "path" && $0.node["x-multi-segment"]?.isTrue == true }
        let candidates = urls.map { ($0, url, true) } + paths.map { ($0, path, urls.isEmpty) }
        for (template, text, hasServer) in candidates {
            let ownSlashes = template.slashCount - (text == path ? 0 : 2)
            if let values = template.values(in: text, crossesSlashes: false) {
                return Match(
                    operation: self, values: values, hasServer: hasServer, rank: 1_000_000 + template.literalCount)
            }
            if holdsSlashes || slashCount == ownSlashes,
                let values = template.values(in: text, crossesSlashes: true)
            {
                return Match(operation: self, values: values, hasServer: hasServer, rank: template.literalCount)
            }
        }
        return nil
    }
}
