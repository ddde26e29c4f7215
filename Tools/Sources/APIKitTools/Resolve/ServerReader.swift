internal import Foundation
import OpenAPIRules

/// Reads the servers of an API.
struct ServerReader {
    let schemas: SchemaReader

    /// The maximum number of servers of an API. No real API has more.
    private static let maximumServers = 100

    /// The servers of the API, the main one first. The main server is the first one with an absolute URL.
    ///
    /// Servers without an absolute URL are left out with a note, and so is one over http that is described over https
    /// too, since credentials should not be sent to it.
    ///
    /// - Throws: ``DescriptionError`` if the list or a server in it is not described as OpenAPI requires.
    func servers(of root: Element) throws -> [Server] {
        let elements = try root.list("servers") ?? []
        if elements.count > Self.maximumServers {
            let count = elements.count - Self.maximumServers
            schemas.note(.skipped, "\(count) servers after the first \(Self.maximumServers)", at: root.place)
        }
        let described = try elements.prefix(Self.maximumServers).compactMap(server)
        let absolute = described.filter(\.isAbsolute)
        if absolute.isEmpty {
            schemas.note(.simplified, "no absolute server URL: set it in the base", at: root.place)
            return []
        }
        let urls = Set(absolute.map(\.url))
        var servers: [Server] = []
        for server in described {
            let isInsecure = server.url.hasPrefix("http:")
            let secureURL = "https:\(server.url.dropFirst("http:".count))"
            if !server.isAbsolute {
                schemas.note(.skipped, "server \(server.url), which has no absolute URL", at: server.place)
            } else if isInsecure, urls.contains(secureURL) {
                schemas.note(.skipped, "server \(server.url), which is described with https too", at: server.place)
            } else {
                servers.append(server)
            }
        }
        return servers
    }

    /// The first server of an operation or a path item, and the number of its servers; nil if it has none.
    func ownServer(of owner: Element) throws -> (server: Server, count: Int)? {
        let elements = try owner.list("servers") ?? []
        guard let server = try elements.first.flatMap(server) else { return nil }
        return (server, elements.count)
    }

    /// The absolute URL of a server with the default values of its variables. A relative URL is resolved against the
    /// API's main URL. Returns nil if there is no absolute URL.
    static func url(of server: Server, relativeTo main: String?) -> String? {
        if server.isAbsolute { return server.url }
        guard let main else { return nil }
        let resolved = resolved(server.url, relativeTo: main)
        let isAbsolute = resolved.hasPrefix("http://") || resolved.hasPrefix("https://")
        return isAbsolute ? Server.withoutSlashes(resolved) : nil
    }

    /// A URL, resolved against the API's main URL if it is relative.
    static func resolved(_ url: String, relativeTo main: String) -> String {
        // With the slash, the URL is resolved below the path of the main URL, not beside its last segment.
        URL(string: url, relativeTo: URL(string: main + "/"))?.absoluteString ?? url
    }

    // MARK: - One server

    /// The maximum number of values of a variable. Nobody can use a type with more.
    private static let maximumValues = 1000

    /// Reads a server; nil if it has no URL.
    private func server(_ element: Element) throws -> Server? {
        guard let url = try element.text("url") else { return nil }
        var variables: [String: Server.Variable] = [:]
        for (name, variable) in try element.members("variables") {
            // OpenAPI forbids an empty `enum`, and requires a default value. Some descriptions have neither.
            let values = try variable.texts("enum")
            let defaultValue = variable.prose("default") ?? values.first ?? ""
            let areTooMany = values.count > Self.maximumValues
            if areTooMany {
                schemas.note(.simplified, "an enum of \(values.count) values is not generated", at: variable.place)
            }
            variables[name] = Server.Variable(
                name: name, defaultValue: defaultValue, values: areTooMany ? [] : different(values))
        }
        let parts = Self.parts(of: Server.withoutSlashes(url), variables)
        return Server(parts: parts, documentation: element.prose("description"), place: element.place)
    }

    /// The texts without repetitions.
    private func different(_ texts: [String]) -> [String] {
        var known: Set<String> = []
        var different: [String] = []
        for text in texts {
            let isNew = known.insert(text).inserted
            if isNew { different.append(text) }
        }
        return different
    }

    /// Splits a URL at the names in braces: `https://{region}.example.com` becomes the text `https://`, the variable
    /// `region` and the text `.example.com`. A name that is not described becomes a variable without a default value.
    private static func parts(of url: String, _ variables: [String: Server.Variable]) -> [Server.Part] {
        var parts: [Server.Part] = []
        var rest = url[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            let name = String(rest[rest.index(after: open)..<close])
            parts.append(.variable(variables[name] ?? Server.Variable(name: name)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }
}
