import Foundation
import OpenAPIRules
import Testing

@testable import APIKitTools

/// Descriptions with mistakes are errors, or become code: nothing crashes or takes forever. The code is written into
/// the folder `APIKIT_MUTANTS`, one file for each description, and `Scripts/tools` has the compiler parse it.
@Suite struct MutationTests {
    private static let count = ProcessInfo.processInfo.environment["APIKIT_MUTATIONS"].flatMap { Int($0) } ?? 300
    private static let output = ProcessInfo.processInfo.environment["APIKIT_MUTANTS"].map { URL(filePath: $0) }

    @Test(.timeLimit(.minutes(60)), arguments: ["shop.yaml", "kinds.yaml"])
    func mutatedDescriptionsAreErrorsOrCode(name: String) throws {
        let source = GoldenTests.tests.appending(path: "Descriptions/\(name)")
        let original = try Documents.parse(Data(contentsOf: source), file: name)
        let folder = try TemporaryFolder()
        var random = SplitMix(state: 7)
        var errors = 0
        let count = Self.count / 2
        for number in 0..<count {
            var mutated = original
            for _ in 0...Int.random(in: 0..<3, using: &random) { mutated = Mutation.mutated(mutated, &random) }
            do {
                let files = try folder.files(Mutation.json(mutated))
                #expect(files.allSatisfy { !$0.text.isEmpty })
                let code = files.map(\.text).joined(separator: "\n")
                try Self.output.map { try Data(code.utf8).write(to: $0.appending(path: "\(name)-\(number).swift")) }
            } catch is DescriptionError {
                errors += 1
            }
        }
        #expect(errors < count)
    }

    @Test func mutatedBytesAreErrorsOrCode() throws {
        let source = GoldenTests.tests.appending(path: "Descriptions/shop.yaml")
        let original = try Data(contentsOf: source)
        let folder = try TemporaryFolder()
        var random = SplitMix(state: 11)
        for _ in 0..<Self.count / 3 {
            var bytes = original
            let start = Int.random(in: 0..<bytes.count, using: &random)
            bytes.replaceSubrange(
                start..<min(bytes.count, start + Int.random(in: 0..<9, using: &random)),
                with: Data("{}[]:\n -&*#\"".utf8.shuffled(using: &random).prefix(2)))
            let text = String(decoding: bytes, as: UTF8.self)
            do { _ = try folder.files(text) } catch is DescriptionError {}
        }
    }
}

/// Random numbers that are the same each time.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Changes of one value somewhere in a document.
enum Mutation {
    private static let values: [Node.Content] = [
        .null, .boolean(true), .number("-1e400"), .text(""), .text("💥\"\\(x)\n"), .list([]), .object([:]),
        .object(["$ref": Node(.text("#/components/schemas/category"))]), .object(["$ref": Node(.text("#/nowhere"))]),
        .object(["allOf": Node(.list([Node(.object(["$ref": Node(.text("#/components/schemas/order"))]))]))]),
        .list([Node(.text("object")), Node(.text("null"))]), .text("{}"), .text("object"), .text("array"),
    ]

    static func mutated(_ node: Node, _ random: inout SplitMix) -> Node {
        var node = node
        let stops = Int.random(in: 0..<8, using: &random) == 0
        switch node.content {
        case .object(var members) where !stops && !members.isEmpty:
            guard let name = members.keys.sorted().randomElement(using: &random) else { return node }
            switch Int.random(in: 0..<12, using: &random) {
            case 0: members[name] = nil
            case 1: members["💥 \(name)"] = members.removeValue(forKey: name)
            default: members[name] = members[name].map { mutated($0, &random) }
            }
            node.content = .object(members)
        case .list(var elements) where !stops && !elements.isEmpty:
            let index = elements.indices.randomElement(using: &random) ?? 0
            elements[index] = mutated(elements[index], &random)
            node.content = .list(elements)
        default: node.content = values.randomElement(using: &random) ?? .null
        }
        return node
    }

    static func json(_ node: Node) -> String {
        switch node.content {
        case .null: "null"
        case .boolean(let flag): "\(flag)"
        case .number(let number): number
        case .text(let text): quoted(text)
        case .list(let elements): "[\(elements.map(json).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\(quoted($0)):\(json($1))" }.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let data = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
