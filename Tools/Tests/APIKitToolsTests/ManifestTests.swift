import Foundation
import Testing

@testable import APIKitTools

@Suite struct ManifestTests {
    private static let one = "0f1e2d3c4b5a6978"
    private static let two = "8796a5b4c3d2e1f0"

    private static func path(_ text: String) throws -> GeneratedPath { try #require(GeneratedPath(text)) }

    private static func digest(_ text: String) throws -> TextDigest { try #require(TextDigest(text[...])) }

    @Test(arguments: [
        "\(one) Models/Order.swift", "\(one) !\(two) Models/Order.swift", "\(one) !missing Models/Order.swift",
        "\(one) !unreadable Models/Order.swift", "- !\(two) Models/Order.swift", "\(one) + Models/Order.swift",
        "\(one) Models/Order.swift\n\(two) Models/Order.swift", "\(one) !missing \(two) Models/Order.swift",
        "- !\(one) \(one) \(two) Models/Order.swift",
    ])
    func isWrittenAsItWasRead(lines: String) {
        let manifest = Manifest(lines)
        #expect(manifest.records.count == 1)
        #expect(manifest.ignoredLines == [])
        #expect(manifest.text.split(separator: "\n", maxSplits: 1)[1] == lines + "\n")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func lineEndingsDoNotMatter(ending: String) {
        let lines = ["# comment", "\(Self.one) A.swift", "\(Self.two) B.swift", ""]
        #expect(Manifest(lines.joined(separator: ending)).records.count == 2)
    }

    /// Either text may be that of the file.
    @Test func bothSidesOfAMergeConflictCount() throws {
        let lines = [
            "<<<<<<< HEAD", "\(Self.one) A.swift", "\(Self.one) !\(Self.two) B.swift", "||||||| 1a2b3c4",
            "=======", "\(Self.two) A.swift", "\(Self.two) B.swift", ">>>>>>> main",
        ]
        let manifest = Manifest(lines.joined(separator: "\n"))
        #expect(manifest.ignoredLines == [])
        let digests = try [Self.digest(Self.one), Self.digest(Self.two)]
        #expect(manifest.records[try Self.path("A.swift")] == .generated(Set(digests)))
        #expect(manifest.records[try Self.path("B.swift")] == .generated([digests[1]]))
    }

    @Test(arguments: [
        "A.swift", "\(one)", "\(one) ", "\(one) ../A.swift", "\(one) /A.swift", "\(one) A/../B.swift",
        "\(one) ./A.swift", "\(one) A", "\(one) A.swift/", "\(one) .swift", "\(one) A/.swift", "\(one) ~/.ssh/id",
        "\(one)  A.swift", "\(one) A B.swift", "\(one) A\u{0}.swift", "\(one) A\u{1B}.swift", "\(one) A\\B.swift",
        "\(one.uppercased()) A.swift", "0x1e2d3c4b5a6978 A.swift", "-f1e2d3c4b5a6978 A.swift", "0f1e A.swift",
        "\(one) .\u{301}A.swift", "- A.swift", "- + A.swift", "\(one) !x A.swift", "\(one) ? A.swift",
    ])
    func otherLinesAreIgnored(line: String) {
        let manifest = Manifest("# comment\n\(line)\n\(Self.one) B.swift\n")
        #expect(manifest.ignoredLines == [2])
        #expect(manifest.records.keys.map(\.text) == ["B.swift"])
    }

    @Test func longPathIsIgnored() {
        #expect(GeneratedPath(String(repeating: "a", count: 994) + ".swift") != nil)
        #expect(GeneratedPath(String(repeating: "a", count: 995) + ".swift") == nil)
    }

    /// Manifests of earlier versions have these digests.
    @Test(
        arguments: [
            ("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8"),
        ] as [(String, String)])
    func digestIsThatOfFNV(text: String, digest: String) {
        #expect(TextDigest(of: text).description == digest)
        #expect(TextDigest(digest[...]) == TextDigest(of: text))
    }

    @Test(
        arguments: [
            ("a\r\nb\r\n", "a\nb\n", true), ("a\nb\r\n", "a\nb\n", true), ("a\rb", "a\nb", false), ("a\r", "a", false),
            ("a\r\r\n", "a\n", false), ("a\r\r\n", "a\r\n", false), ("", "\n", false),
        ] as [(String, String, Bool)])
    func digestIgnoresCarriageReturnsBeforeLineFeeds(first: String, second: String, areEqual: Bool) {
        #expect((TextDigest(of: first) == TextDigest(of: second)) == areEqual)
    }
}
