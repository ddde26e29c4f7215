public import APIKit
import Foundation

/// A case of a suite: an operation, the responses to its requests, and what must be true afterwards.
public struct ConformanceCase: Sendable, CustomStringConvertible {
    /// The suite, which is the name of its folder.
    public let suite: String
    /// The members of the case, as the suite has them.
    private let members: JSONValue

    /// What is tested, in one sentence; several cases may have the same.
    public var name: String { members["name"]?.string ?? "" }
    /// The name of the suite's file that the case is from.
    public var category: String { members["category"]?.string ?? "" }
    /// The operation of the description, or of the SDK, that is called.
    public var operation: String { members["operation"]?.string ?? "" }
    /// The method of the operation.
    public var method: String { members["method"]?.string ?? "" }
    /// The parameters of the path, the query and the body, settings of the client, and the `path`, by name.
    public var arguments: Arguments {
        let objects = ["pathParams", "queryParams", "requestBody", "configOverrides"].compactMap { members[$0]?.object }
        return Arguments(objects + [["path": members["path"] ?? ""]])
    }
    /// The responses, in the order of the requests.
    public var responses: [JSONValue] { members["mockResponses"]?.array ?? [] }
    /// What must be true afterwards.
    public var assertions: [Assertion] { (members["assertions"]?.array ?? []).map(Assertion.init) }

    /// The category and the name.
    public var description: String { "\(category): \(name)" }

    /// The path of the operation with its parameters; nil if a parameter is missing.
    var path: String? {
        var path = members["path"]?.string ?? ""
        for (name, value) in members["pathParams"]?.object ?? [:] {
            path = path.replacingOccurrences(of: "{\(name)}", with: value.string ?? value.number?.description ?? "")
        }
        return path.contains("{") ? nil : path
    }

    /// The cases of a suite.
    ///
    /// - Throws: If the file of the suite cannot be read.
    public static func all(of suite: String) throws -> [ConformanceCase] {
        let file = Files.folder.appending(path: "\(suite)/cases.jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            ConformanceCase(suite: suite, members: try JSONValue.process(data: Data(line.utf8)))
        }
    }
}

extension ConformanceCase {
    /// Something that must be true after a case.
    public struct Assertion: Sendable {
        let members: JSONValue

        /// What is compared, such as `requestCount`.
        var type: String { members["type"]?.string ?? "" }
        /// The expected value; nil if the type says everything.
        var expected: JSONValue? { members["expected"] }
        /// The member or the header that is compared.
        var path: String { members["path"]?.string ?? "" }
        /// The number of the request or of the pause, from 0; a negative one counts from the last request.
        var index: Int? { members["index"]?.number?.int }
        /// The shortest pause.
        var minimum: Duration { .milliseconds(members["min"]?.number?.int ?? 0) }
    }

    /// Values that a case passes to an operation.
    public struct Arguments: Sendable {
        private let objects: [JSONValue.Object]

        init(_ objects: [JSONValue.Object]) { self.objects = objects }

        /// A value; nil if the case has none with this name.
        public subscript(name: String) -> JSONValue? { objects.lazy.compactMap { $0[name] }.first }
        /// A text, which is empty if the case has none.
        public func text(_ name: String) -> String { optionalText(name) ?? "" }
        /// A text; nil if the case has none.
        public func optionalText(_ name: String) -> String? { self[name]?.string }
        /// A number, which is 0 if the case has none.
        public func number(_ name: String) -> Int64 { optionalNumber(name) ?? 0 }
        /// A number; nil if the case has none.
        public func optionalNumber(_ name: String) -> Int64? { self[name]?.number?.int.map { Int64($0) } }
        /// A Boolean; nil if the case has none.
        public func flag(_ name: String) -> Bool? { self[name]?.bool }
        /// Numbers; nil if the case has none.
        public func numbers(_ name: String) -> [Int64]? {
            self[name]?.array.map { $0.compactMap { $0.number?.int.map { Int64($0) } } }
        }
        /// Texts; nil if the case has none.
        public func texts(_ name: String) -> [String]? { self[name]?.array.map { $0.compactMap(\.string) } }
    }
}

enum Files {
    /// The folder of this package.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
}
