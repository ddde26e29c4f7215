import Foundation
import Testing

@testable import APIKitTools

/// Operations in the style of public APIs with the names of their endpoints, one per line. They are in the file
/// EndpointNames.txt, whose header says which of them are not from a description:
///
///     ## github
///     UserRepos: GET /users/{username}/repos, repos/list-for-user
///
/// The name comes first, without `Request`, and the operation's own name comes last, if the description has one. The
/// operations below a title are those of one API: a name can depend on the others. A stream of events has `stream`
/// before its method.
///
/// A change of a rule that is meant shows in the file's diff. This command writes the file again:
///
///     APIKIT_WRITE_NAMES=1 swift test --package-path Tools --filter EndpointNamesTests
///
/// To add an operation, write a line with any name, and then the file again.
@Suite struct EndpointNamesTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "EndpointNames.txt")

    @Test func namesOfOperationsAreThoseOfTheFile() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let apis = try text.components(separatedBy: "\n## ").dropFirst().map(NamedOperations.init)
        let introduction = text.prefix { $0 != "#" }
        let newText = introduction + apis.map(\.withNewNames).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["APIKIT_WRITE_NAMES"] != nil {
            try newText.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        let oldLines = text.split(separator: "\n")
        let newLines = newText.split(separator: "\n")
        #expect(oldLines.count == newLines.count)
        for (old, new) in zip(oldLines, newLines) { #expect(old == new) }
    }

    /// The file is only useful if it has operations for each rule.
    @Test func fileHasOperationsOfAllKinds() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        let sections = text.components(separatedBy: "\n## ").dropFirst()
        let endpoints = try sections.flatMap { try NamedOperations($0).endpoints }
        #expect(endpoints.count > 300)
        let sources = Dictionary(grouping: endpoints) { endpoint in
            switch NameSource(endpoint) {
            case .path: "path"
            case .repetition(let name): name.qualifier.isEmpty ? "repetition" : "repetition with a qualifier"
            case .description: ControllerName(endpoint.ownName ?? "") == nil ? "description" : "controller"
            }
        }
        #expect(sources.count == 5)
        let meanings = Dictionary(grouping: endpoints) { endpoint in
            switch PathMeaning(endpoint, pathHasGet: false) {
            case .root: "root"
            case .search: "search"
            case .action: "action"
            case .verb(let verb, _, _): verb
            }
        }
        let usualMeanings: Set = ["action", "create", "delete", "get", "list", "root", "search", "update"]
        #expect(usualMeanings.isSubset(of: meanings.keys))
    }

    @Test func wordHasItsRolesInOneRow() {
        let words = WordRoles.rows.flatMap(\.words)
        #expect(Set(words).count == words.count)
        for row in WordRoles.rows { #expect(row.words == row.words.sorted()) }
        let roles = WordRoles.rows.map(\.roles.rawValue)
        #expect(Set(roles).count == roles.count)
    }
}

/// The operations of an API with the names of their endpoints.
private struct NamedOperations {
    private let api: String
    private(set) var endpoints: [Endpoint] = []

    /// Reads a title, and lines such as `UserRepos: GET /users/{username}/repos, repos/list-for-user`.
    init(_ section: String) throws {
        let lines = section.split(separator: "\n")
        api = String(try #require(lines.first))
        for line in lines.dropFirst() {
            let match = try #require(line.wholeMatch(of: /\w*: (stream )?(\w+) ([^,]+)(?:, (.+))?/), "\(line)")
            var endpoint = Endpoint(
                name: match.4.map(String.init), method: String(match.2), path: String(match.3), place: Place(file: ""))
            endpoint.isStream = match.1 != nil
            endpoints.append(endpoint)
        }
    }

    /// The title and the lines, with the names that the generator chooses.
    var withNewNames: String {
        var taken = TakenNames()
        let names = EndpointNamer(endpoints, modelNames: []).names(&taken)
        let lines = zip(endpoints, names).map { endpoint, name in
            let operation = "\(endpoint.isStream ? "stream " : "")\(endpoint.method) \(endpoint.path)"
            let ownName = endpoint.name.map { ", \($0)" } ?? ""
            return "\(name.dropLast(EndpointShape.suffix.count)): \(operation)\(ownName)\n"
        }
        return "## \(api)\n\(lines.joined())"
    }
}
