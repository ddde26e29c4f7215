@_spi(Tools) import APIKitJSON
import Foundation
import Testing

/// The generator of endpoints asks ``SnakeCase`` what the decoder finds.
@Suite struct SnakeCaseTests {
    private static let names = [
        "avatar_url", "avatarURL", "avatarUrl", "_avatar_url_", "avatar__url", "AVATAR_URL", "url", "URL", "_",
        "item_2nd", "größe_x", "a_ÄÖ", "html_urltext", "user-id_x",
    ]

    @Test(arguments: names)
    func saysWhatTheDecoderFinds(name: String) throws {
        let otherKeys = ["htmlURLText", "aÄÖ", "AvatarURL", "item2nd", "userIDX"]
        let keys = Self.names + Self.names.map(SnakeCase.key) + otherKeys
        for key in keys {
            let reader = JSONReader(keys: .convertFromSnakeCase)
            let json = Data("{\"\(name)\": 1}".utf8)
            let isFound = try Probe.$key.withValue(key) { try reader.decode(Probe.self, from: json) }.isFound
            #expect(SnakeCase.finds(name, by: key) == isFound, "\(name) by \(key)")
        }
    }

    @Test(
        arguments: [("user_id", "userId"), ("_user_id_", "_userId_"), ("user", "user"), ("item_2nd", "item2Nd")]
            as [(String, String)])
    func convertsNames(name: String, key: String) {
        #expect(SnakeCase.key(of: name) == key)
    }
}

private struct Probe: Decodable {
    @TaskLocal static var key = ""

    let isFound: Bool

    init(from decoder: any Decoder) throws {
        isFound = try decoder.container(keyedBy: Key.self).contains(Key(stringValue: Self.key))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
