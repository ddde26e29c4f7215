import Foundation
import OpenAPIRules

@testable import APIKitTools

/// Texts that would leave a comment or a literal, or show its reader something else, if they were copied into code.
enum HostileText {
    /// A declaration that takes over all requests, without a space.
    private static let code =
        "private\tstatic\tfunc\tAPIBase(_\turl:\tString)->APIKit.APIBase{return\t.init(\"https://evil.example/v1\")}"

    private static let lineBreaks = ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"]
    private static let invisible = [
        "\u{0}", "\u{1B}[31m", "\u{7F}", "\u{9B}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{200B}",
        "\u{200F}", "\u{FEFF}", "\u{E0001}", "\u{3164}",
    ]
    private static let ends = [
        "*/", "\"", "\"\"\"", "\"#", "\"\"\"#", "\"\"\"##", "`", "\\", "\\\"", "\"\u{301}", "\"\"\"#\u{301}",
    ]
    private static let interpolations = ["\\(fatalError())", "\\#(fatalError())", "\\##(fatalError())", "\\u{22}"]

    /// Each text for itself, and all of them in one.
    static let all: [String] =
        lineBreaks.map { "\($0)\(code)\($0)///\t" } + invisible.map { "\($0)\(code)" } + ends.map { "\($0)\(code)//" }
        + interpolations + [everything]

    /// All texts if `APIKIT_HOSTILE_TEXTS` is set, and otherwise some, among them the one with all others in it.
    static let chosen = wantedCount == nil ? all.indices.filter { $0 % 7 == 0 }.map { all[$0] } + [everything] : all

    /// How many cases run, if that is said.
    static let wantedCount = ProcessInfo.processInfo.environment["APIKIT_HOSTILE_TEXTS"].flatMap { Int($0) }

    /// All of these texts in one.
    static let everything =
        (lineBreaks + invisible + ends + interpolations).joined(separator: "x") + "\n\(code)\n///\t"

    /// A text with the same words, from which the same names are made, that cannot do anything. It has as many bytes,
    /// since long names are cut.
    static func harmless(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            isHostile(scalar) ? String(repeating: "!", count: UTF8.width(scalar)) : String(scalar)
        }.joined()
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isDefaultIgnorableCodePoint { return true }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: ["\"", "\\", "`"].contains(scalar)
        }
    }
}

/// Adds to one text of a document, a value or a name that its author chooses, or to all that may be any.
struct TextChange {
    /// Which one; nil for all that may be any.
    private let wanted: Int?
    private let hostile: String
    private let isHarmless: Bool
    private let addition: String
    private let isRecording: Bool
    private var index = 0

    /// How many texts a document has.
    static func count(in document: Node) -> Int {
        var change = TextChange(document, wanted: -1, hostile: "", isHarmless: true)
        _ = change.changed(document, isNamed: false)
        return change.index
    }

    /// A document with a text added to one of its texts, or with the harmless one in its place.
    static func changed(_ document: Node, at wanted: Int?, by hostile: String, isHarmless: Bool) -> Node {
        var change = TextChange(document, wanted: wanted, hostile: hostile, isHarmless: isHarmless)
        return change.changed(document, isNamed: false)
    }

    private init(_ document: Node, wanted: Int?, hostile: String, isHarmless: Bool) {
        isRecording = Element(node: document, file: "", path: "").has("log")
        self.wanted = wanted
        self.hostile = hostile
        self.isHarmless = isHarmless
        addition = isHarmless ? HostileText.harmless(hostile) : hostile
    }

    /// The members of these have names that the author of a description or a recording chooses.
    private static let freelyNamed: Set = [
        "properties", "schemas", "securitySchemes", "paths", "content", "mapping", "variables", "encoding", "responses",
        "parameters", "headers", "scopes", "examples", "requestBodies", "example", "webhooks", "callbacks", "links",
    ]

    /// Texts that may be any: those of all places at once, where other ones would be mistakes.
    private static let free: Set = [
        "description", "summary", "title", "default", "example", "operationId", "tags", "enum", "const", "pattern",
        "x-enum-varnames", "x-enumNames", "x-enum-descriptions", "x-enumDescriptions",
    ]

    private mutating func changed(_ text: String, key: String = "") -> String {
        isNext(key) ? text + addition : text
    }

    private mutating func changed(_ node: Node, isNamed: Bool, key: String = "") -> Node {
        switch node.content {
        case .text(let text): return Node(.text(changed(value: text, key: key)))
        case .list(let nodes): return Node(.list(nodes.map { changed($0, isNamed: false, key: key) }))
        case .object(let members):
            var result: Node.Members = [:]
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                let newName = isNamed ? changed(name) : name
                result[newName] = changed(member, isNamed: Self.freelyNamed.contains(name) && !isNamed, key: name)
            }
            return Node(.object(result))
        case .null, .boolean, .number: return node
        }
    }

    /// A text as a value. One that is JSON has texts of its own, and a URL has a path, a name and a value.
    private mutating func changed(value text: String, key: String) -> String {
        if isRecording, key == "text", let inner = try? JSONParser.parse(Array(text.utf8), file: "") {
            return Mutation.json(changedInside(inner))
        }
        guard isRecording, key == "url", text.hasPrefix("http") else { return changed(text, key: key) }
        let encoded = addition.utf8.map { "%" + String(Int($0) + 256, radix: 16).dropFirst() }.joined()
        // A name is made of what is encoded, so that the harmless text has to have the same digits.
        let inPath = hostile.utf8.map { "\(isHarmless ? "!" : "%")" + String(Int($0) + 256, radix: 16).dropFirst() }
        let parts = text.split(separator: "?", maxSplits: 1).map(String.init)
        var url = parts[0]
        if isNext() { url += inPath.joined() }
        url += "?"
        if parts.count > 1 { url += parts[1] + "&" }
        url += "size" + (isNext() ? encoded : "")
        url += "=7" + (isNext() ? encoded : "")
        return url
    }

    /// All names of JSON in a recording are the server's.
    private mutating func changedInside(_ node: Node) -> Node {
        switch node.content {
        case .text(let text): return Node(.text(changed(text)))
        case .list(let nodes): return Node(.list(nodes.map { changedInside($0) }))
        case .object(let members):
            var result: Node.Members = [:]
            for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                result[changed(name)] = changedInside(member)
            }
            return Node(.object(result))
        case .null, .boolean, .number: return node
        }
    }

    private mutating func isNext(_ key: String = "") -> Bool {
        defer { index += 1 }
        guard let wanted else { return Self.free.contains(key) }
        return wanted == index
    }
}
