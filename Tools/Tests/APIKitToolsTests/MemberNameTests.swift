import APIKitCore
import Foundation
import Testing

@testable import APIKitTools

/// If the generator and the decoder disagreed on a name, a generated model would lose the member, without an error if
/// it is optional.
@Suite struct MemberNameTests {
    @Test func decoderFindsEachMemberWithoutACodingKey() throws {
        let names = try Self.names()
        #expect(names.count > 200)
        for name in names {
            let member = SwiftName.member(name)
            if SwiftName.isConverted(member, from: name) { #expect(try Self.decoderFinds(name, by: member), "\(name)") }
        }
    }

    /// Where the decoder finds the member, a coding key is written only for a name with unusual underscores.
    @Test func memberHasACodingKeyOnlyIfTheDecoderNeedsIt() throws {
        for name in try Self.names() where !name.split(separator: "_", omittingEmptySubsequences: false).contains("") {
            let member = SwiftName.member(name)
            #expect(try SwiftName.isConverted(member, from: name) == Self.decoderFinds(name, by: member), "\(name)")
        }
    }

    @Test(
        arguments: [
            ("größe_Ärmel", "größeÄrmel", true), ("a_ÄÖ", "aÄÖ", false), ("avatar_url", "avatarURL", true),
            ("avatar_url", "AvatarURL", false), ("html_urltext", "htmlURLText", true), ("item_2nd", "item2Nd", true),
            ("item_2nd", "item2nd", false), ("user-id", "userID", false), ("URL", "url", false), ("url", "url", true),
        ] as [(String, String, Bool)])
    func memberIsFoundAsTheDecoderFindsIt(name: String, member: String, isFound: Bool) throws {
        #expect(SwiftName.isConverted(member, from: name) == isFound)
        #expect(try Self.decoderFinds(name, by: member) == isFound)
    }

    /// All names in the descriptions of this package and in EndpointNames.txt, and some that are hard.
    private static func names() throws -> [String] {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let descriptions = GoldenTests.tests.appending(path: "Descriptions")
        let files = try FileManager.default.contentsOfDirectory(at: descriptions, includingPropertiesForKeys: nil)
        let texts = try (files + [tests.appending(path: "EndpointNames.txt")]).map { file in
            try String(contentsOf: file, encoding: .utf8)
        }
        let words = texts.flatMap { text in text.split { !$0.isLetter && !$0.isNumber && !"_-".contains($0) } }
        let hard = [
            "_links", "links_", "a__b", "__", "_", "html_url", "URLs", "user_ids", "userIDs", "IPv4_address", "ipv4",
            "3ds_secure", "item_2nd", "sha256_sum", "größe_in_cm", "ÄÖÜ_x", "a_ÄÖ", "日本_語", "é_è", "ǆ_ǆ", "ﬁ_ﬁ", "x_ß",
        ]
        return Set(words.map(String.init) + hard).sorted()
    }

    private static func decoderFinds(_ name: String, by member: String) throws -> Bool {
        let json = try JSONEncoder().encode([name: 1])
        let reader = JSONReader(keys: .convertFromSnakeCase)
        return try Probe.$member.withValue(member) { try reader.decode(Probe.self, from: json) }.isFound
    }
}

/// Finds out whether a decoder finds a member of an object.
private struct Probe: Decodable {
    @TaskLocal static var member = ""

    let isFound: Bool

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        isFound = container.contains(Key(stringValue: Self.member))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
